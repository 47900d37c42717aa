-- An allotment: what gardeners get, and plots that are out of use since a day.
CREATE TABLE gardeners (id integer PRIMARY KEY, name text NOT NULL, newsletter boolean NOT NULL);
CREATE TABLE plots (id integer PRIMARY KEY, label text NOT NULL UNIQUE, out_of_use_since date);
INSERT INTO gardeners VALUES (1, 'Ann Bell', true), (2, 'Bo Cain', false), (3, 'Cy Dorn', true);
INSERT INTO plots VALUES (1, 'P-1', NULL), (2, 'P-2', '2024-01-01'), (3, 'P-3', NULL);
CREATE TABLE leases (id integer PRIMARY KEY, gardener_id integer NOT NULL REFERENCES gardeners, plot_id integer NOT NULL REFERENCES plots, leased_on date NOT NULL, water_included boolean NOT NULL, rebate numeric(6,4) NOT NULL, rent numeric(6,2) NOT NULL);
CREATE TABLE extras (id integer PRIMARY KEY, lease_id integer NOT NULL REFERENCES leases, kind text NOT NULL);
CREATE TABLE complaints (id integer PRIMARY KEY, gardener_id integer NOT NULL REFERENCES gardeners, filed_on date NOT NULL, status char(1) NOT NULL);
COMMENT ON COLUMN leases.rebate IS 'part of the rent that is let off: 0.10 is ten percent';
COMMENT ON COLUMN complaints.status IS 'N=new, P=in progress, D=done, X=cancelled';
INSERT INTO leases VALUES (1, 1, 1, '2024-01-10', true, 0.05, 60), (2, 2, 2, '2024-02-10', false, 0.1, 70), (3, 3, 3, '2024-02-20', true, 0.25, 80), (4, 1, 3, '2024-03-01', false, 0, 90);
INSERT INTO extras VALUES (1, 1, 'shed'), (2, 2, 'water'), (3, 3, 'key'), (4, 4, 'water');
INSERT INTO complaints VALUES (1, 1, '2024-01-11', 'N'), (2, 1, '2024-01-12', 'P'), (3, 2, '2024-01-13', 'D'), (4, 3, '2024-01-14', 'X'), (5, 3, '2024-02-14', 'P');
