package effect

import "strings"

// database reads the statement given to a database client and where it goes.
// Without a host a client talks to this machine.
func database(c command) []Effect {
	var e Effect
	ok := true
	switch c.name {
	case "redis-cli":
		e, ok = redis(c)
	case "mongosh", "mongo":
		e, ok = mongo(c)
	default:
		e, ok = sqlClient(c)
	}
	if !ok {
		return nil
	}
	e.Tool, e.Inferred = c.name, true
	if strings.HasPrefix(c.name, "sqlite") || c.name == "duckdb" {
		return one(e.localise("file"))
	}
	ground, known := databaseGround(c)
	if !known && e.Class == ExternalWrite {
		e.Class = Unknown
		return one(e)
	}
	return one(e.localise(ground))
}

func sqlClient(c command) (Effect, bool) {
	text := c.flag("c", "command", "e", "execute")
	if text == "" {
		text = c.stdin
	}
	if text == "" && (strings.HasPrefix(c.name, "sqlite") || c.name == "duckdb") && len(c.words) > 1 {
		text = strings.Join(c.words[1:], " ")
	}
	if text == "" {
		if file := c.flag("f", "file"); file != "" {
			_, id := c.identity(0)
			return Effect{Class: ExternalWrite, Verb: Start, Resource: "sql-script", Identity: id, Why: c.name + " script"}, true
		}
		return Effect{}, false
	}
	e, ok := sqlEffect(text)
	e.Identity = canonical(map[string]value{"database": databaseName(c), "sql": strings.Join(strings.Fields(text), " ")})
	return e, ok
}

func databaseName(c command) string {
	return strings.Join(append([]string{c.flag("h", "host"), c.flag("d", "dbname", "D", "database")}, c.words[:min(1, len(c.words))]...), " ")
}

// databaseGround takes the host from a flag or a connection URL.
func databaseGround(c command) (ground string, known bool) {
	host := c.flag("h", "host", "u", "uri")
	if c.name != "redis-cli" && !strings.HasPrefix(c.name, "mongo") {
		host = c.flag("h", "host")
	}
	for _, w := range append([]string{c.flag("d", "dbname")}, c.words...) {
		if host == "" && (strings.Contains(w, "://") || strings.HasPrefix(w, "$")) {
			host = w
		}
		if _, v, ok := strings.Cut(w, "host="); ok && host == "" {
			host, _, _ = strings.Cut(v, " ")
		}
	}
	if host == "" {
		return "loopback", true
	}
	return localTarget(host)
}

var redisReads = wordSet("get mget exists keys scan ttl pttl type info ping llen lrange smembers sismember scard hget hgetall hmget hlen hkeys zrange zscore zcard " +
	"strlen dbsize getrange xlen xrange monitor client config memory object randomkey sscan hscan zscan")

var redisRepeatable = wordSet("set mset hset hmset del unlink hdel srem sadd zadd zrem setex expire persist flushdb flushall rename")

func redis(c command) (Effect, bool) {
	op := strings.ToLower(c.word(0))
	if op == "" {
		return Effect{}, false
	}
	m := wr(Update)
	switch {
	case redisReads[op]:
		m = rd(Lookup)
	case op == "del" || op == "unlink" || strings.HasPrefix(op, "flush"):
		m = set(Delete)
	case redisRepeatable[op]:
		m = set(Set)
	case op == "publish" || op == "xadd" || strings.HasSuffix(op, "push"):
		m = wr(Append)
	}
	return c.effect(m, "redis-key", 1), true
}

func mongo(c command) (Effect, bool) {
	text := c.flag("eval")
	if text == "" {
		text = c.stdin
	}
	if text == "" {
		return Effect{}, false
	}
	m := rd(Search)
	for _, op := range []struct {
		call string
		m    meaning
	}{{"insert", wr(Create)}, {"deleteOne", set(Delete)}, {"deleteMany", set(Delete)}, {"drop", set(Delete)}, {"update", wr(Update)}, {"replaceOne", set(Set)}, {"createIndex", set(Create)}, {"bulkWrite", wr(Update)}, {"findOneAnd", wr(Update)}} {
		if strings.Contains(text, "."+op.call) {
			m = op.m
			break
		}
	}
	e := c.effect(m, "document", len(c.words))
	return e, true
}
