CREATE OR REPLACE FUNCTION kb_uploads_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT storage_key FROM deleted ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER kb_uploads_deleted
AFTER DELETE ON kb_upload REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION kb_uploads_deleted();
