-- Who verified the answer; empty if nobody did. Until now only the notice named him.
alter table translations add column reviewer text not null default '';
update translations set reviewer = substr(json_extract(notices, '$[0]'), 30, instr(json_extract(notices, '$[0]'), ' on 2') - 30)
where source = 'example' and notices like '["verified answer, reviewed by % on 2%';
