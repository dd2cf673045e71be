package redact

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// In each, S3cr3t… is the secret; the rest must stay.
func TestNamedSecrets(t *testing.T) {
	const sec = "S3cr3tVa1ue9xQ"
	tests := []struct{ unit, kind string }{
		{`{"password":"S3cr3tVa1ue9xQ"}`, "password"},
		{`{"db_passwd" : "S3cr3tVa1ue9xQ"}`, "password"},
		{`{"user":{"passphrase":"S3cr3tVa1ue9xQ"},"n":1}`, "password"},
		{`{"client_secret":"S3cr3tVa1ue9xQ"}`, "secret"},
		{`{"clientSecret":"S3cr3tVa1ue9xQ"}`, "secret"},
		{`{"access_token":"S3cr3tVa1ue9xQ","expires_in":3600}`, "token"},
		{`{"refreshToken":"S3cr3tVa1ue9xQ"}`, "token"},
		{`{"token":"S3cr3tVa1ue9xQ"}`, "token"},
		{`{"api_key":"S3cr3tVa1ue9xQ"}`, "key"},
		{`{"x-api-key":["S3cr3tVa1ue9xQ","S3cr3tVa1ue9xQ"]}`, "key"},
		{`{"aws_secret_access_key":"S3cr3tVa1ue9xQ"}`, "key"},
		{`{"SecretAccessKey":"S3cr3tVa1ue9xQ"}`, "key"},
		{`{"private_key":"S3cr3tVa1ue9xQ"}`, "key"},
		{`{"name":"API_TOKEN","value":"S3cr3tVa1ue9xQ"}`, "token"},
		{`{"key":"http.request.header.x-api-key","value":{"stringValue":"S3cr3tVa1ue9xQ"}}`, "key"},
		{`{"password":"S3cr3tVa1ue9xQ\\"}`, "password"},
		{`{"password":"a \"S3cr3tVa1ue9xQ"}`, "password"},
		{`{"password":"correct horse S3cr3tVa1ue9xQ"}`, "password"},
		{`{"arguments":"{\"password\": \"S3cr3tVa1ue9xQ\", \"n\": 1}"}`, "password"},
		{`{"arguments":"{\"inner\":\"{\\\"api_key\\\":\\\"S3cr3tVa1ue9xQ\\\"}\"}"}`, "key"},
		{`{"code":"password = \"S3cr3tVa1ue9xQ\"\nrun()"}`, "password"},
		{`{"code":"API_KEY: 'S3cr3tVa1ue9xQ',\n"}`, "key"},
		{`{"code":"api_key=f'S3cr3tVa1ue9xQ')"}`, "key"},
		{`{"dict":"{'password': 'S3cr3tVa1ue9xQ'}"}`, "password"},
		{`{"cmd":"export GITHUB_TOKEN=S3cr3tVa1ue9xQ\nmake"}`, "token"},
		{`{"cmd":"DB_PASS=S3cr3tVa1ue9xQ ./run"}`, "password"},
		{`{"cmd":"MY_SERVICE_KEY='S3cr3tVa1ue9xQ' ./run"}`, "key"},
		{`{"cmd":"login --password S3cr3tVa1ue9xQ --force"}`, "password"},
		{`{"cmd":"login --password=S3cr3tVa1ue9xQ"}`, "password"},
		{`{"cmd":"login --api-key \"S3cr3tVa1ue9xQ\""}`, "key"},
		{`{"cmd":"curl 'https://h/x?access_token=S3cr3tVa1ue9xQ&b=1'"}`, "token"},
		{`{"cmd":"curl -d 'user=me&password=S3cr3tVa1ue9xQ' h"}`, "password"},
		{`{"cmd":"curl -u me:S3cr3tVa1ue9xQ https://h"}`, "password"},
		{`{"cmd":"curl -s \\\n  -u me:S3cr3tVa1ue9xQ \\\n  https://h; ls"}`, "password"},
		{`{"cmd":"curl -s --user 'me:S3cr3tVa1ue9xQ' h"}`, "password"},
		{`{"cmd":"curl -s -u \"me:S3cr3tVa1ue9xQ\" h"}`, "password"},
		{`{"cmd":"curl -H 'Authorization: Bearer S3cr3tVa1ue9xQ' h"}`, "token"},
		{`{"cmd":"curl -H \"Authorization: Basic S3cr3tVa1ue9xQ\" h"}`, "basic-auth"},
		{`{"cmd":"curl -H \"X-Api-Key: S3cr3tVa1ue9xQ\" h"}`, "key"},
		{`{"headers":{"Authorization":"Bearer S3cr3tVa1ue9xQ"}}`, "token"},
		{`{"headers":{"authorization":"S3cr3tVa1ue9xQ"}}`, "token"},
		{`{"headers":{"cookie":"sid=S3cr3tVa1ue9xQ; theme=\"dark\""}}`, "cookie"},
		{`{"headers":{"set-cookie":["a=S3cr3tVa1ue9xQ","b=S3cr3tVa1ue9xQ; Path=/"]}}`, "cookie"},
		{`{"raw":"GET / HTTP/1.1\r\nCookie: sid=S3cr3tVa1ue9xQ; b=2\r\nHost: h\r\n"}`, "cookie"},
		{`{"name":"header","value":"Bearer S3cr3tVa1ue9xQ"}`, "token"},
		{`{"yaml":"db:\n  password: S3cr3tVa1ue9xQ\n  port: 1\n"}`, "password"},
		{`{"ini":"password = S3cr3tVa1ue9xQ\n"}`, "password"},
		{`{"xml":"<password>S3cr3tVa1ue9xQ</password>"}`, "password"},
		{`{"dsn":"postgres://bob:S3cr3tVa1ue9xQ@db.host:5432/x"}`, "password"},
		{`{"dsn":"redis://:S3cr3tVa1ue9xQ@10.0.0.1"}`, "password"},
		{`{"dsn":"amqp://u:p@S3cr3tVa1ue9xQ@mq/v"}`, "password"},
		{`{"conn":"Server=db;User=sa;Password=S3cr3tVa1ue9xQ;Encrypt=1"}`, "password"},
		{`{"go":"token\u003dS3cr3tVa1ue9xQ\u0026x=1"}`, "token"},
		{"API_KEY=S3cr3tVa1ue9xQ", "key"},
		{"API_KEY_2=S3cr3tVa1ue9xQ", "key"},
		{`{"code":"api_key: str = 'S3cr3tVa1ue9xQ'"}`, "key"},
		{`{"code":"const apiKey string = \"S3cr3tVa1ue9xQ\""}`, "key"},
		{`{"netrc":"machine h login me password S3cr3tVa1ue9xQ"}`, "password"},
		{`{"code":"assert password == 'S3cr3tVa1ue9xQ'"}`, "password"},
		{`{"file":"    12→API_KEY=S3cr3tVa1ue9xQ"}`, "key"},
		{"password: S3cr3tVa1ue9xQ", "password"},
		{"the password: S3cr3tVa1ue9xQ is in use", "password"},
		{`{"password":"S3cr3tVa1ue9xQ`, "password"},
		{"\xff\xfe password=S3cr3tVa1ue9xQ \xff", "password"},
		{`{"password":"«password:000000000000»S3cr3tVa1ue9xQ"}`, "password"},
		{`PASSWORD=«password:000000000000»S3cr3tVa1ue9xQ`, "password"},
		{`{"t":"(password: S3cr3tVa1ue9xQ) is in use"}`, "password"},
		{`{"t":"| token: S3cr3tVa1ue9xQ | the one of CI |"}`, "token"},
		{`{"t":"<p>password: S3cr3tVa1ue9xQ</p> and on"}`, "password"},
		{`{"t":"password=S3cr3tVa1ue9xQ/v1/users"}`, "password"},
		{`{"t":"password=S3cr3tVa1ue9xQ.... and API_KEY=S3cr3tVa1ue9xQ****"}`, "password"},
		{`{"t":"map[X-Api-Key:[S3cr3tVa1ue9xQ)]"}`, "key"},
		{`{"t":"API_KEY=/S3cr3tVa1ue9xQ/v1"}`, "key"},
		{`{"t":"postgres://bob:pa/S3cr3tVa1ue9xQ/x@db.host:5432/x"}`, "password"},
	}
	for _, tt := range tests {
		t.Run(tt.unit, func(t *testing.T) {
			out, hits := redactAll(t, tt.unit)
			require.NotContains(t, out, sec)
			require.NotEmpty(t, hits)
			require.Equal(t, tt.kind, hits[0].Kind, out)
		})
	}
}

// What people choose is not random.
func TestHumanPasswords(t *testing.T) {
	for _, unit := range []string{
		`{"t":"password=hunter2"}`, `{"t":"user=a&password=letmein"}`, `{"t":"Login with password: hunter2!"}`,
		`{"t":"--password hunter2"}`, `{"password":"letmein"}`, `{"t":"DB_PASSWORD=letmein ./x"}`,
		`{"t":"x --from-literal=password=hunter2"}`, `{"t":"password = 'letmein'"}`, `{"t":"ftp://a:letmein@h/"}`,
	} {
		out, hits := redactAll(t, unit)
		require.NotContains(t, out, "hunter2")
		require.NotContains(t, out, "letmein")
		require.Len(t, hits, 1, unit)
	}
}
