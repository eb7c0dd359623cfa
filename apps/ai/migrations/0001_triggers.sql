-- The triggers of the ai app as of migration 0001. Their current source is apps/ai/triggers.sql (docs/adr/0017).

-- The history of assistants' texts is append-only. Its rows go with their widget alone, by the foreign key's own DELETE.

CREATE OR REPLACE FUNCTION ai_history_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the history of an assistant''s text is append-only' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE OR REPLACE TRIGGER ai_history_is_kept
BEFORE UPDATE OR DELETE ON ai_personahistory FOR EACH ROW
WHEN (pg_trigger_depth() = 0)
EXECUTE FUNCTION ai_history_is_kept();
