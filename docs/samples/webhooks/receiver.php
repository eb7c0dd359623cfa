<?php
// A receiver of Parley's webhooks: WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:8099 receiver.php

// $body is what came, byte for byte; $header is X-Service-Signature.
function is_genuine(string $secret, string $body, string $header): bool
{
    return hash_equals('sha256=v1:' . hash_hmac('sha256', $body, $secret), $header);
}

$secret = getenv('WEBHOOK_SECRET');
if (!$secret) {
    http_response_code(500);
    exit('WEBHOOK_SECRET is not set');
}
$body = file_get_contents('php://input');
if (is_genuine($secret, $body, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    $event = json_decode($body, true);
    // Keep it here for a worker of yours, unless you have its key already; then answer.
    error_log($_SERVER['HTTP_X_SERVICE_EVENT'] . ' ' . $_SERVER['HTTP_X_SERVICE_IDEMPOTENCY_KEY'] . ' ' . $body);
    http_response_code(204);
} else {
    http_response_code(401);
}
