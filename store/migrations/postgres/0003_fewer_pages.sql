-- The index by outcome holds the confidence too.
drop index translations_confidence;

-- Steps of a twentieth order the queue as well, newest first within one.
update translations set priority = round(priority * 20) / 20 where priority <> round(priority * 20) / 20;
