-- Roles belong to the whole cluster: several loads may make them at once.
DO $$
DECLARE
    statement text;
BEGIN
    FOREACH statement IN ARRAY ARRAY[
        'CREATE ROLE analyst LOGIN BYPASSRLS',
        'CREATE ROLE support LOGIN',
        'CREATE ROLE askpg LOGIN NOINHERIT',
        'GRANT analyst, support TO askpg'
    ] LOOP
        BEGIN
            EXECUTE statement;
        EXCEPTION WHEN duplicate_object OR unique_violation OR internal_error THEN
            NULL;
        END;
    END LOOP;
END
$$;
