-- Triggers of the articles app and their functions: the current source, beside the models (docs/adr/0017).

-- The bytes of deleted pictures are swept (docs/adr/0014), whoever deletes the rows: they go with a widget.

CREATE OR REPLACE FUNCTION articles_pictures_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT key FROM deleted ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER articles_pictures_deleted
AFTER DELETE ON articles_articlepicture REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION articles_pictures_deleted();

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
