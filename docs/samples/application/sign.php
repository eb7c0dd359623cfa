<?php
// Signs a call to Parley and makes it: PARLEY_URL, PARLEY_TOKEN and PARLEY_SECRET say where to and as whom.
//   echo '{"text": "Hello"}' | php sign.php /api/v1/ai/assistant/text-to-speech
// With PARLEY_DRY_RUN=1 it prints the headers, and calls nobody.

// The three headers. $target is the path with its query, as it is sent; $body the bytes that are sent.
function envelope(string $secret, string $method, string $target, string $body, string $timestamp, string $nonce): array
{
    $signed = implode("\n", [$timestamp, $nonce, $method, $target, hash("sha256", $body)]);
    return [
        "X-Service-Timestamp: $timestamp",
        "X-Service-Nonce: $nonce",
        "X-Service-Signature: sha256=v1:" . hash_hmac("sha256", $signed, $secret),
    ];
}

$target = $argv[1];
$body = stream_get_contents(STDIN);
$timestamp = getenv("PARLEY_TIMESTAMP") ?: (string) time();
$nonce = getenv("PARLEY_NONCE") ?: bin2hex(random_bytes(16));
$headers = envelope(getenv("PARLEY_SECRET"), "POST", $target, $body, $timestamp, $nonce);
if (getenv("PARLEY_DRY_RUN")) {
    echo implode("\n", $headers), "\n";
    exit;
}
$headers[] = "Authorization: Bearer " . getenv("PARLEY_TOKEN");
$headers[] = "Content-Type: application/json";
$options = ["method" => "POST", "header" => $headers, "content" => $body, "ignore_errors" => true, "follow_location" => 0];
echo file_get_contents(getenv("PARLEY_URL") . $target, false, stream_context_create(["http" => $options])), "\n";
