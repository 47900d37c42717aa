package wire_test

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
)

// What the sequences of TestOrder_Server are made of.

// sessionScript makes what the statements below use; all of it is the session's own.
const sessionScript = `
create function pg_temp.raises() returns trigger language plpgsql as $$ begin
	if tg_level = 'ROW' and new.v <> 7 then return new; end if;
	raise 'raised';
end $$;
create temp table a (v int check (v < 1000));
create temp table before_statement (v int);
create trigger t before insert on before_statement for each statement execute function pg_temp.raises();
create temp table before_row (v int);
create trigger t before insert on before_row for each row execute function pg_temp.raises();
create temp table after_row (v int);
create trigger t after insert on after_row for each row execute function pg_temp.raises();
create temp table after_statement (v int);
create trigger t after insert on after_statement for each statement execute function pg_temp.raises();
create temp table at_commit (v int);
create constraint trigger t after insert on at_commit deferrable initially deferred for each row execute function pg_temp.raises();
create temp table ruled (v int);
create rule also as on insert to ruled do also select 1 as also;
create procedure pg_temp.called(inout v int) language plpgsql as $$ begin v := v + 1; end $$;
`

var copyTables = []string{"a", "a", "a", "before_statement", "before_row", "after_row", "after_statement", "at_commit", "ruled", "nosuch"}

// copyData is good, bad and cut off; what fails depends on the table.
var copyData = []string{"1\n", "1\n", "2\n3\n", "7\n", "x\n", "1\t2\n", "5000\n", "1", "", "\\.\n", "\\", "\n", strings.Repeat("4\n", 40)}

var binaryData = []string{"PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00", "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x01",
	"\x00\x01\x00\x00\x00\x04\x00\x00\x00\x07", "\xff\xff", "\x00\x02", "PGCOPY"}

// statements are those of one command, for Parse and Query.
var statements = []string{
	"select 1", "select generate_series(1, 3)", "select 1 where false", "", "select 1/0", "syntax error", "select * from nosuch", "select 1/(generate_series(1, 3) - 3)",
	"begin", "begin", "commit", "commit", "rollback", "rollback", "savepoint s", "rollback to s", "release s",
	"insert into a values (1)", "insert into a values (5000)", "insert into at_commit values (1)", "insert into at_commit values (7)", "insert into ruled values (1)",
	"copy (select generate_series(1, 3)) to stdout", "copy (select 1/(generate_series(1, 3) - 3)) to stdout", "copy a to stdout",
	"do $$ begin raise notice 'noticed'; end $$", "set application_name = 'x'", "reset application_name", "show work_mem", "explain (costs off) select 1",
	"listen x", "notify x", "unlisten *", "prepare q as select 1", "execute q", "deallocate q", "call pg_temp.called(1)",
	"declare c cursor for select generate_series(1, 3)", "fetch 2 from c", "close c", "set constraints all immediate", "delete from a", "select repeat('x', 9000)",
}

// queries are further texts for Query.
var queries = []string{
	"select 1; select 2", "select 1; select 1/0; select 2", "select 1; syntax error", "begin; select 1; commit", "begin; select 1/0", "rollback; select 1", ";",
	"insert into at_commit values (7); select 1", "begin; insert into at_commit values (7); commit; select 1", "insert into ruled values (1); select 1",
	"copy a to stdout; select 1; copy (select 1/0) to stdout", "set application_name = 'y'; reset application_name", "notify x; select 1",
}

// generator makes sequences of frontend messages.
type generator struct {
	*rand.Rand
	messages [][]byte
}

func (g *generator) add(typ byte, body string) { g.messages = append(g.messages, message(typ, body)) }

func one[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g *generator) sequence() [][]byte {
	g.messages = nil
	for range 1 + g.IntN(4) {
		switch g.IntN(20) {
		case 0, 1, 2, 3, 4:
			g.copySimple()
		case 5, 6, 7, 8, 9, 10:
			g.copyExtended()
		case 11, 12, 13:
			g.pipeline()
		case 14, 15:
			g.add('Q', g.text()+"\x00")
		case 16:
			g.noise()
		case 17:
			g.function()
		case 18:
			g.add('S', "")
		case 19:
			for range 1 + g.IntN(4) {
				g.extended()
			}
		}
	}
	if g.IntN(400) == 0 {
		g.add('Q', "select 1; select pg_terminate_backend(pg_backend_pid()); select 2\x00")
	}
	return g.messages
}

func (g *generator) text() string {
	if g.chance(40) {
		return one(g, queries...)
	}
	return one(g, statements...)
}

func (g *generator) copyText() string {
	text := "copy " + one(g, copyTables...) + " from stdin"
	if g.chance(10) {
		text += " (format binary)"
	}
	return text
}

// data sends what a COPY reads, with what it ignores, and sometimes what it has no place for.
func (g *generator) data() {
	list := copyData
	if g.chance(8) {
		list = binaryData
	}
	good := g.chance(50)
	for range g.IntN(6) {
		switch {
		case g.chance(12):
			g.add('S', "")
		case g.chance(8):
			g.add('H', "")
		case g.IntN(300) == 0:
			g.noise()
		case good:
			g.add('d', one(g, "1\n", "2\n", "7\n"))
		default:
			g.add('d', one(g, list...))
		}
	}
	switch {
	case g.chance(80):
		g.add('c', "")
	case g.chance(70):
		g.add('f', "failed by the client\x00")
	}
}

func (g *generator) copySimple() {
	parts := []string{g.copyText()}
	for range g.IntN(3) {
		parts = append(parts, one(g, g.copyText(), g.text()))
	}
	g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	g.add('Q', strings.Join(parts, "; ")+"\x00")
	if g.chance(10) {
		g.add('S', "")
	}
	for _, p := range parts {
		if strings.HasSuffix(p, "stdin") || strings.HasSuffix(p, "binary)") {
			g.data()
		}
	}
	if g.chance(15) {
		g.add('S', "")
	}
}

// copyExtended sends COPY by the extended protocol, mostly as libpq does: with
// a Sync before it knows that the statement is COPY, and one behind the data.
func (g *generator) copyExtended() {
	if g.chance(20) {
		g.extended()
	}
	name := one(g, "", "", "s1")
	if name != "" {
		g.add('C', "S"+name+"\x00")
	}
	g.add('P', name+"\x00"+g.copyText()+"\x00\x00\x00")
	g.add('B', "\x00"+name+"\x00\x00\x00\x00\x00\x00\x00")
	if g.chance(30) {
		g.add('D', "P\x00")
	}
	g.add('E', "\x00\x00\x00\x00\x00")
	if g.chance(60) {
		g.add('S', "")
	}
	g.data()
	switch {
	case g.chance(80):
		g.add('S', "")
	case g.chance(40):
		g.extended()
		g.add('S', "")
	}
}

func (g *generator) pipeline() {
	for range 1 + g.IntN(3) {
		name, portal := one(g, "", "s1"), one(g, "", "p1")
		g.add('P', name+"\x00"+one(g, statements...)+"\x00\x00\x00")
		g.add('B', portal+"\x00"+name+"\x00\x00\x00\x00\x00\x00\x00")
		if g.chance(50) {
			g.add('D', one(g, "P"+portal, "S"+name)+"\x00")
		}
		g.add('E', portal+"\x00\x00\x00\x00"+one(g, "\x00", "\x00", "\x01"))
		if g.chance(20) {
			g.add('E', portal+"\x00\x00\x00\x00\x00")
		}
		if g.chance(50) {
			g.add('C', one(g, "P"+portal, "S"+name)+"\x00")
		}
	}
	if g.chance(85) {
		g.add('S', "")
	}
}

// extended sends one message of the extended protocol.
func (g *generator) extended() {
	name, portal := one(g, "", "s1", "s2"), one(g, "", "p1", "p2")
	switch g.IntN(6) {
	case 0:
		g.add('P', name+"\x00"+one(g, statements...)+"\x00\x00\x00")
	case 1:
		g.add('B', portal+"\x00"+name+"\x00\x00\x00\x00\x00\x00\x00")
	case 2:
		g.add('D', one(g, "S"+name, "P"+portal, "X")+"\x00")
	case 3:
		g.add('E', portal+"\x00\x00\x00\x00"+one(g, "\x00", "\x01"))
	case 4:
		g.add('C', one(g, "S"+name, "P"+portal)+"\x00")
	case 5:
		g.add('H', "")
	}
}

// function calls int4pl or a function that there is not.
func (g *generator) function() {
	body := binary.BigEndian.AppendUint32(nil, one(g, uint32(177), 177, 0))
	body = append(body, "\x00\x00\x00\x02\x00\x00\x00\x01"+one(g, "1", "x")+"\x00\x00\x00\x012\x00\x00"...)
	g.add('F', string(body))
}

// noise sends any message.
func (g *generator) noise() {
	switch g.IntN(8) {
	case 0:
		g.add('Q', g.text()+"\x00")
	case 1:
		g.add('S', "")
	case 2:
		g.add('H', "")
	case 3:
		g.add('d', one(g, copyData...))
	case 4:
		g.add('c', "")
	case 5:
		g.add('f', "x\x00")
	case 6:
		g.function()
	case 7:
		g.extended()
	}
}
