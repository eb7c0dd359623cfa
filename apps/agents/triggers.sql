-- Triggers of the agents app and their functions: the current source, beside the models (docs/adr/0017).

-- The bytes of deleted operators' avatars are swept (docs/adr/0014), whoever deletes the rows: they go with an account.

CREATE OR REPLACE FUNCTION agents_agents_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT avatar FROM deleted WHERE avatar <> '';
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER agents_agents_deleted
AFTER DELETE ON agents_agent REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
EXECUTE FUNCTION agents_agents_deleted();
