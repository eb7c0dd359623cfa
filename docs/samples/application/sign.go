// Signs a call to Parley and makes it: PARLEY_URL, PARLEY_TOKEN and PARLEY_SECRET say where to and as whom.
//
//	echo '{"text": "Hello"}' | go run sign.go /api/v1/ai/assistant/text-to-speech
//
// With PARLEY_DRY_RUN=1 it prints the headers, and calls nobody.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// sign gives the signature. target is the path with its query, as it is sent; body the bytes that are sent.
func sign(secret, method, target string, body []byte, timestamp, nonce string) string {
	hash := sha256.Sum256(body)
	signed := strings.Join([]string{timestamp, nonce, method, target, hex.EncodeToString(hash[:])}, "\n")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(signed))
	return "sha256=v1:" + hex.EncodeToString(mac.Sum(nil))
}

func main() {
	target := os.Args[1]
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	timestamp, nonce := os.Getenv("PARLEY_TIMESTAMP"), os.Getenv("PARLEY_NONCE")
	if timestamp == "" {
		timestamp = strconv.FormatInt(time.Now().Unix(), 10)
	}
	if nonce == "" {
		random := make([]byte, 16)
		if _, err := rand.Read(random); err != nil {
			panic(err)
		}
		nonce = hex.EncodeToString(random)
	}
	signature := sign(os.Getenv("PARLEY_SECRET"), "POST", target, body, timestamp, nonce)
	if os.Getenv("PARLEY_DRY_RUN") != "" {
		fmt.Printf("X-Service-Timestamp: %s\nX-Service-Nonce: %s\nX-Service-Signature: %s\n", timestamp, nonce, signature)
		return
	}
	request, err := http.NewRequest("POST", os.Getenv("PARLEY_URL")+target, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PARLEY_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Service-Timestamp", timestamp)
	request.Header.Set("X-Service-Nonce", nonce)
	request.Header.Set("X-Service-Signature", signature)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(os.Stdout, response.Body)
}
