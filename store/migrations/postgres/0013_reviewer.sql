-- Who verified the answer; empty if nobody did. Until now only the notice named him.
alter table translations add column reviewer text not null default '';
update translations set reviewer = coalesce(substring(notices->>0 from '^verified answer, reviewed by (.*?) on \d{4}-\d\d-\d\d'), '')
where source = 'example';
