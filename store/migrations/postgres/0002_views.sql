-- For SQL and BI tools: the log without its long columns, and the candidates
-- with the id and the question that they belong to.
create view log as
select id, asked, database, role, login, application, question, hint, outcome, code, message, strategy, source, fallback, confidence, sql,
	rows_returned, elapsed_ms, calls, prompt_tokens + completion_tokens as tokens, cost, replica, replica_lag_ms, review, feedback, priority
from translations;

create view candidate_log as
select t.id, t.asked, t.database, t.role, t.question, t.outcome, c.position + 1 as candidate, c.model, c.prompt, c.sample, c.repair, c.fate, c.votes,
	c.fingerprint, c.rows, c.cost, c.elapsed_ms, c.code, c.message, c.sql
from translations t join candidates c on c.translation = t.seq;

create view agreement as
select t.database, c.model, c.prompt, count(*) as candidates,
	sum(case when c.fate in ('chosen', 'agreed') then 1 else 0 end) as agreed,
	sum(case when c.fate in ('refused', 'invalid', 'gated', 'failed', 'timeout', 'no answer') then 1 else 0 end) as fallen
from translations t join candidates c on c.translation = t.seq
group by t.database, c.model, c.prompt;
