-- The files of imports that were not finished are swept, whoever deletes the rows.

CREATE OR REPLACE FUNCTION articles_imports_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT storage_key FROM deleted WHERE storage_key <> ''
    ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER articles_imports_deleted
AFTER DELETE ON articles_articleimport REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION articles_imports_deleted();
