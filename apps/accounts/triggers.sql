-- Triggers of the accounts app and their functions: the current source, beside the models (docs/adr/0017).

-- Idempotency keys count by widget. Processes of the release before claim them by token: their rows are given the token's
-- widget. It goes with `token_id`, one release later.

CREATE OR REPLACE FUNCTION accounts_idempotencykey_widget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.widget_id := (SELECT widget_id FROM accounts_apitoken WHERE id = NEW.token_id);
    DELETE FROM core_idempotencykey k
    WHERE k.widget_id = NEW.widget_id AND k.key = NEW.key AND k.token_id IS DISTINCT FROM NEW.token_id
      AND k.created_at <= now() - interval '24 hours';
    -- Nothing is inserted for a key that another token of the widget used: it is refused.
    IF EXISTS (
        SELECT FROM core_idempotencykey k
        WHERE k.widget_id = NEW.widget_id AND k.key = NEW.key AND k.token_id IS DISTINCT FROM NEW.token_id
    ) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER accounts_idempotencykey_widget
BEFORE INSERT ON core_idempotencykey FOR EACH ROW WHEN (NEW.widget_id IS NULL)
EXECUTE FUNCTION accounts_idempotencykey_widget();
