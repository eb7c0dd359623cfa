-- Triggers as of migration 0005. Their current source is apps/ai/triggers.sql (docs/adr/0017).

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
