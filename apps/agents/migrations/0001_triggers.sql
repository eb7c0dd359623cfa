-- The triggers of the agents app as of migration 0001. Their current source is apps/agents/triggers.sql (docs/adr/0017).

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
