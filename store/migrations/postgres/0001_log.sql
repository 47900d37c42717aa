create table translations (
	seq bigint generated always as identity primary key,
	id text not null unique,
	asked timestamptz not null,
	database text not null default '',
	role text not null default '',
	login text not null default '',
	client text not null default '',
	application text not null default '',
	annotations jsonb,
	question text not null default '',
	normalised text not null default '',
	hint text not null default '',
	action text not null default '',
	options jsonb,
	history jsonb,
	settings jsonb,
	outcome text not null default '',
	code text not null default '',
	message text not null default '',
	detail text not null default '',
	error_hint text not null default '',
	cause text not null default '',
	strategy text not null default '',
	source text not null default '',
	sql text not null default '',
	result_columns jsonb,
	confidence double precision not null default 0,
	chosen bigint not null default 0,
	understood text not null default '',
	linked jsonb,
	notices jsonb,
	calls bigint not null default 0,
	prompt_tokens bigint not null default 0,
	completion_tokens bigint not null default 0,
	cost double precision not null default 0,
	stages jsonb,
	replica text not null default '',
	replica_lag_ms double precision not null default 0,
	on_primary boolean not null default false,
	plan text not null default '',
	schema_version text not null default '',
	fallback boolean not null default false,
	answer_key text not null default '',
	elapsed_ms double precision not null default 0,
	rows_returned bigint not null default 0,
	kept_rows jsonb,
	review text not null default '',
	feedback bigint not null default 0,
	priority double precision not null default 0
);

-- What lists are filtered by goes along in the indexes that start one, so that
-- a filter which few translations pass is decided without reading them.
create index translations_role on translations (role, seq, database, application, outcome, source, confidence, review, feedback);
create index translations_database on translations (database, seq, role, application, outcome, source, confidence, review, feedback);
create index translations_application on translations (application, seq, role, database, outcome, source, confidence, review, feedback);
create index translations_outcome on translations (outcome, seq, role, database, application, source, confidence, review, feedback);
create index translations_asked on translations (asked, seq, role, database, application, outcome, source, confidence, review, feedback);
create index translations_source on translations (source, seq, confidence, outcome);
create index translations_code on translations (code, seq) where code <> '';
create index translations_confidence on translations (confidence, seq, outcome, role, database);
create index translations_review on translations (review, seq) where review <> '';
create index translations_feedback on translations (feedback, seq) where feedback <> 0;
create index translations_priority on translations (priority, seq, role, database, application, outcome, source, confidence, feedback) where review = '' and priority > 0;
create index translations_answer on translations (answer_key, seq) where answer_key <> '' and source <> 'cache';
create index translations_withdrawn on translations (answer_key) where review in ('rejected', 'corrected');
create index translations_kept on translations (asked) where kept_rows is not null;

create table candidates (
	translation bigint not null references translations (seq) on delete cascade,
	position bigint not null default 0,
	sql text not null default '',
	model text not null default '',
	prompt text not null default '',
	sample bigint not null default 0,
	repair bigint not null default 0,
	fate text not null default '',
	votes bigint not null default 0,
	fingerprint text not null default '',
	rows bigint not null default 0,
	cost double precision not null default 0,
	elapsed_ms double precision not null default 0,
	code text not null default '',
	message text not null default '',
	detail text not null default '',
	error_hint text not null default '',
	primary key (translation, position)
);

-- A verified pair. At most one stands for a question in a database.
create table examples (
	id text primary key,
	database text not null,
	question text not null,
	question_key text not null,
	hint text not null default '',
	sql text not null,
	status text not null,
	note text not null default '',
	translation text not null default '',
	role text not null default '',
	reviewer text not null default '',
	schema_version text not null default '',
	settings jsonb,
	created timestamptz not null,
	updated timestamptz not null,
	used bigint not null default 0
);

create unique index examples_question on examples (database, question_key) where status <> 'retired';
create index examples_status on examples (database, status);

-- What askers and reviewers said, one row a word; nothing is overwritten.
create table feedback (
	id text primary key,
	translation text not null,
	at timestamptz not null,
	kind text not null,
	by_whom text not null default '',
	reason text not null default '',
	sql text not null default ''
);

create index feedback_translation on feedback (translation);

-- What was spent in a period by whom: subject is "role:NAME", "database:NAME" or "all".
create table budgets (
	subject text not null,
	period text not null,
	calls bigint not null default 0,
	tokens bigint not null default 0,
	cost double precision not null default 0,
	primary key (subject, period)
);

-- Sums by day for the overview, kept up by every append: scope is "all", "role
-- NAME" or "database NAME", kind says what label is (outcome, source,
-- confidence, latency, model, application, code, role, database).
create table totals (
	scope text not null,
	kind text not null,
	label text not null,
	day text not null,
	n bigint not null default 0,
	calls bigint not null default 0,
	tokens bigint not null default 0,
	cost double precision not null default 0,
	elapsed_ms double precision not null default 0,
	primary key (scope, kind, label, day)
);

create index translations_text on translations using gin
	(to_tsvector('simple', left(question || ' ' || hint || ' ' || sql || ' ' || message, 100000)));
