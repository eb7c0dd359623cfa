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

-- What was done to external operators is kept in the same way; it goes with the operator's row.

CREATE OR REPLACE FUNCTION ai_moves_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the moves of an external operator are append-only' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE OR REPLACE TRIGGER ai_moves_are_kept
BEFORE UPDATE OR DELETE ON ai_operatormove FOR EACH ROW
WHEN (pg_trigger_depth() = 0)
EXECUTE FUNCTION ai_moves_are_kept();
