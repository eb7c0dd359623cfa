-- Triggers of the ai app and their functions: the current source, beside the models (docs/adr/0017).

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
