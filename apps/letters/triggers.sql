-- Triggers of the letters app and their functions: the current source, beside the models (docs/adr/0017).

-- The bytes of letters whose rows are deleted are swept (docs/adr/0014), whoever deletes them: they go with a message.

CREATE OR REPLACE FUNCTION letters_letters_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT raw_key FROM deleted WHERE raw_key <> '' ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER letters_letters_deleted
AFTER DELETE ON letters_inletter REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION letters_letters_deleted();
