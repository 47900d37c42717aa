-- How long a question took is filtered by, too.
drop index translations_asked;
create index translations_asked on translations (asked, seq, role, database, application, outcome, source, confidence, review, feedback, elapsed_ms);
