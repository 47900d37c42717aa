\set n random(1, 5)
select :n::int + 1;
select count(*) from generate_series(1, :n);
ask 'how many customers';
