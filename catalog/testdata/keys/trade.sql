-- A merchant's terse names. Documents repeat names of customers and items.
create table cusmst (cust_no int primary key, cust_nm text, rgn_cd text, rep_no int, crd_lmt numeric(10, 2), actv_fl char(1));
create table empmst (emp_no int primary key, emp_nm text, dept_cd text, mgr_no int, hire_dt date);
create table deptmst (dept_cd text primary key, dept_nm text);
create table itmmst (itm_no text primary key, itm_desc text, uom text, vnd_no int, std_cst numeric(10, 2));
create table vndmst (vnd_no int primary key, vnd_nm text, pay_trm int);
create table whsmst (whs_cd text primary key, whs_nm text);
create table stkbal (whs_cd text, itm_no text, qty_oh int, qty_rsv int, primary key (whs_cd, itm_no));
create table ordhdr (ord_no int primary key, cust_no int, cust_nm text, rep_no int, ord_dt date, whs_cd text, stat int);
create table orddtl (ord_no int, ln_no int, itm_no text, itm_desc text, qty int, unt_prc numeric(10, 2), primary key (ord_no, ln_no));
create table shpdtl (shp_no int, ord_no int, ln_no int, qty_shp int, primary key (shp_no, ord_no, ln_no));
create table invhdr (inv_no int primary key, ord_no int, cust_no int, cust_nm text, inv_dt date, days int);
insert into deptmst select 'D' || i, 'Dept ' || i from generate_series(10, 15) i;
insert into empmst select 100 + i, 'Emp ' || i, 'D' || 10 + i % 6, case when i > 3 then 100 + i % 3 + 1 end, '2020-01-01' from generate_series(1, 30) i;
insert into vndmst select 5000 + i * 11, 'Vendor ' || i, 30 from generate_series(1, 25) i;
insert into itmmst select 'IT' || 10000 + i, 'Item ' || i, 'EA', 5000 + (i % 25 + 1) * 11, i from generate_series(1, 200) i;
insert into whsmst select 'W' || i, 'Whs ' || i from generate_series(1, 4) i;
insert into cusmst select 20000 + i * 7, 'Customer ' || i, 'R' || i % 5, 100 + i % 9 + 1, 1000, 'Y' from generate_series(1, 150) i;
insert into stkbal select 'W' || i % 4 + 1, 'IT' || 10001 + i % 200, i, 0 from generate_series(1, 200) i;
insert into ordhdr select 800000 + i, 20000 + (i % 150 + 1) * 7, 'Customer ' || i % 150 + 1, 100 + i % 12 + 1, '2024-01-01', 'W' || i % 4 + 1, i % 4 from generate_series(1, 600) i;
insert into orddtl select 800000 + i, n, 'IT' || 10000 + (i * n) % 200 + 1, 'Item ' || (i * n) % 200 + 1, n, n from generate_series(1, 600) i, generate_series(1, 2 + i % 3) n;
insert into shpdtl select 900000 + i, 800000 + i, n, n from generate_series(1, 400) i, generate_series(1, 2) n;
insert into invhdr select 300000 + i, 800000 + i, 20000 + (i % 150 + 1) * 7, 'Customer ' || i % 150 + 1, '2024-02-01', i % 30 from generate_series(1, 500) i;
-- keys: cusmst.rep_no>empmst.emp_no empmst.dept_cd>deptmst.dept_cd empmst.mgr_no>empmst.emp_no itmmst.vnd_no>vndmst.vnd_no
-- keys: stkbal.whs_cd>whsmst.whs_cd stkbal.itm_no>itmmst.itm_no ordhdr.cust_no>cusmst.cust_no ordhdr.rep_no>empmst.emp_no
-- keys: ordhdr.whs_cd>whsmst.whs_cd orddtl.ord_no>ordhdr.ord_no orddtl.itm_no>itmmst.itm_no invhdr.ord_no>ordhdr.ord_no
-- keys: invhdr.cust_no>cusmst.cust_no shpdtl.ord_no,shpdtl.ln_no>orddtl.ord_no,orddtl.ln_no shpdtl.ord_no>ordhdr.ord_no
