-- A brewery, as its old program names things: cut names without a mark between, days as numbers, the codes of all columns in one table.
CREATE TABLE tavms (tavno integer PRIMARY KEY, tavnm varchar(40) NOT NULL, tcity varchar(30), tctry char(2) NOT NULL, tavsts char(1) NOT NULL);
CREATE TABLE delh (delno integer PRIMARY KEY, tavno integer NOT NULL REFERENCES tavms, deldt integer NOT NULL, delsts char(1) NOT NULL, delamt numeric(9,2) NOT NULL, frtamt numeric(9,2) NOT NULL);
CREATE TABLE dell (delno integer NOT NULL REFERENCES delh, lin smallint NOT NULL, kegs smallint NOT NULL, PRIMARY KEY (delno, lin));
CREATE TABLE brcod (fld varchar(8) NOT NULL, cod char(2) NOT NULL, txt varchar(30) NOT NULL, PRIMARY KEY (fld, cod));
INSERT INTO brcod VALUES ('TAVSTS', 'A', 'ACTIVE'), ('TAVSTS', 'H', 'CREDIT HOLD'), ('TAVSTS', 'C', 'SHUT'), ('DELSTS', 'O', 'OPEN'), ('DELSTS', 'B', 'BACKORDER'), ('DELSTS', 'S', 'SETTLED');
INSERT INTO tavms VALUES (4711, 'The Anchor', 'Wells', 'GB', 'A'), (4712, 'Zum Baum', 'Graz', 'AT', 'H'), (4713, 'La Cloche', 'Namur', 'BE', 'A'), (4714, 'Der Dachs', 'Linz', 'AT', 'C');
INSERT INTO delh VALUES (1, 4711, 20240503, 'S', 620, 20), (2, 4711, 20240611, 'O', 480, 30), (3, 4712, 20240514, 'O', 900, 610), (4, 4713, 20231230, 'B', 75, 5);
INSERT INTO dell VALUES (1, 1, 4), (1, 2, 2), (2, 1, 5), (3, 1, 9), (4, 1, 1);
