-- The reviewer whom a question in the queue is assigned to; empty for nobody.
alter table translations add column assigned text not null default '';
create index translations_assigned on translations (assigned, priority, seq) where assigned <> '';

-- Of sums by login, role, database and model: how many questions were answered, and how many took how long, in the bins of the kind
-- latency. What the log counted of roles and databases before is taken over.
alter table totals add column answered integer not null default 0;
alter table totals add column took_10 integer not null default 0;
alter table totals add column took_30 integer not null default 0;
alter table totals add column took_100 integer not null default 0;
alter table totals add column took_300 integer not null default 0;
alter table totals add column took_1000 integer not null default 0;
alter table totals add column took_3000 integer not null default 0;
alter table totals add column took_10000 integer not null default 0;
alter table totals add column took_30000 integer not null default 0;
alter table totals add column took_60000 integer not null default 0;
alter table totals add column took_over integer not null default 0;
update totals set
	answered = coalesce((select o.n from totals o where o.scope = totals.kind || ' ' || totals.label and o.kind = 'outcome' and o.label = 'answered' and o.day = totals.day), 0),
	took_10 = coalesce((select o.n from totals o where o.scope = totals.kind || ' ' || totals.label and o.kind = 'latency' and o.label = '000010' and o.day = totals.day), 0),
	took_30 = coalesce((select o.n from totals o where o.scope = totals.kind || ' ' || totals.label and o.kind = 'latency' and o.label = '000030' and o.day = totals.day), 0),
	took_100 = coalesce((select o.n from totals o where o.scope = totals.kind || ' ' || totals.label and o.kind = 'latency' and o.label = '000100' and o.day = totals.day), 0),
	took_300 = coalesce((select o.n from totals o where o.scope = totals.kind || ' ' || totals.label and o.kind = 'latency' and o.label = '000300' and o.day = totals.day), 0),
	took_1000 = coalesce((select o.n from totals o where o.scope = totals.kind || ' ' || totals.label and o.kind = 'latency' and o.label = '001000' and o.day = totals.day), 0),
	took_3000 = coalesce((select o.n from totals o where o.scope = totals.kind || ' ' || totals.label and o.kind = 'latency' and o.label = '003000' and o.day = totals.day), 0),
	took_10000 = coalesce((select o.n from totals o where o.scope = totals.kind || ' ' || totals.label and o.kind = 'latency' and o.label = '010000' and o.day = totals.day), 0),
	took_30000 = coalesce((select o.n from totals o where o.scope = totals.kind || ' ' || totals.label and o.kind = 'latency' and o.label = '030000' and o.day = totals.day), 0),
	took_60000 = coalesce((select o.n from totals o where o.scope = totals.kind || ' ' || totals.label and o.kind = 'latency' and o.label = '060000' and o.day = totals.day), 0),
	took_over = coalesce((select o.n from totals o where o.scope = totals.kind || ' ' || totals.label and o.kind = 'latency' and o.label = 'over' and o.day = totals.day), 0)
where scope = 'all' and kind in ('role', 'database');
