-- Trails through valleys: no key is declared, a trail has a row for each
-- valley that it crosses, names of one kind are also names of another.
CREATE TABLE valleys (
    valley_name text NOT NULL,
    area        integer NOT NULL,
    main_town   text NOT NULL
);
CREATE TABLE trails (
    trail_name text NOT NULL,
    length     integer NOT NULL,
    crosses    text NOT NULL,
    land_name    text NOT NULL
);
CREATE TABLE hills (
    hill_name   text NOT NULL,
    height      integer NOT NULL,
    valley_name text NOT NULL,
    land_name     text NOT NULL
);
CREATE TABLE tarns (
    tarn_name text NOT NULL,
    depth     integer NOT NULL,
    land_name   text NOT NULL
);
INSERT INTO valleys VALUES ('Glen Dee', 90, 'Orrin'), ('Strath', 120, 'Balloch'), ('Tarff', 40, 'Orrin'), ('Morar', 75, 'Skene');
INSERT INTO trails VALUES
    ('Morar', 60, 'Glen Dee', 'north'), ('Morar', 60, 'Strath', 'north'), ('Morar', 60, 'Tarff', 'north'), ('Kings', 80, 'Strath', 'south'),
    ('Kings', 80, 'Morar', 'south'), ('Abbey', 30, 'Tarff', 'south'), ('Abbey', 30, 'Glen Dee', 'south');
INSERT INTO hills VALUES
    ('Ben Oss', 900, 'Glen Dee', 'north'), ('Ben More', 1100, 'Glen Dee', 'north'), ('Creag', 700, 'Strath', 'south'), ('Meall', 700, 'Tarff', 'south'),
    ('Stob', 650, 'Strath', 'south'), ('Carn', 800, 'Upper Morar', 'north');
INSERT INTO tarns VALUES ('Dubh', 40, 'north'), ('Fada', 12, 'south'), ('Beag', 9, 'east');
