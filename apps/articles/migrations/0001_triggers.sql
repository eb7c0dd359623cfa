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
