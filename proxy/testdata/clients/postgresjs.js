// Drives a proxy and a server side by side with postgres.js: what a question
// returns through the proxy must be what its SQL returns directly. Prints one
// line for each check.
//
// usage: postgresjs.js PROXY_PORT SERVER_PORT DATABASE [CA]
const postgres = require('postgres')
const fs = require('fs')
const { Readable, Writable } = require('stream')
const { pipeline } = require('stream/promises')

const [proxy, server, database, ca] = process.argv.slice(2)
const SQL = `SELECT id, name, balance, joined, tags, NULL::int AS nothing, '{"a": 1}'::jsonb AS doc FROM customers ORDER BY id`
const ASK = '-- ask: run: ' + SQL
let failed = 0

function check(name, got, want) {
  got = JSON.stringify(got)
  want = JSON.stringify(want)
  if (got === want) return console.log('ok', name)
  failed++
  console.log('FAILED', name, got?.slice(0, 300), 'want', want?.slice(0, 300))
}

async function code(promise) {
  try {
    await promise
    return 'no error'
  } catch (e) {
    return e.code
  }
}

async function main() {
  const options = { host: '127.0.0.1', database, user: 'driver_role', password: 'secret', max: 1, onnotice: () => {} }
  const direct = postgres({ ...options, port: +server })
  const ssl = ca ? { ca: fs.readFileSync(ca) } : false
  const sql = postgres({ ...options, port: +proxy, ssl })
  const wrong = postgres({ ...options, port: +proxy, password: 'wrong', ssl })
  if (ca) check('wrong password', await code(wrong`select 1`), '28P01')
  const rows = await direct.unsafe(SQL)
  check('question, simple', await sql.unsafe(ASK), rows)
  check('question, prepared', await sql.unsafe(ASK, [], { prepare: true }), rows)
  check('question, prepared again', await sql.unsafe(ASK, [], { prepare: true }), rows)
  check('call', (await sql`select sum(a)::int as n from ask('run: select 1 as a') r where a < ${5}`)[0].n, 1)
  const parts = []
  await sql.unsafe(ASK, [], { prepare: true }).cursor(7, (part) => { parts.push(...part) })
  check('question, cursor', parts, rows)
  check('pipelined', await Promise.all([...Array(50).keys()].map((i) => sql`select ${i}::int as i`.then((r) => r[0].i))), [...Array(50).keys()])
  const mixed = await Promise.all([sql`select 1 as a`, sql.unsafe(ASK, [], { prepare: true }), sql`select 2 as a`])
  check('pipelined question', [mixed[0][0].a, mixed[1].length, mixed[2][0].a], [1, rows.length, 2])
  check('error', await code(sql`select nosuch`), '42703')
  await sql.unsafe("set askpg.describe = 'jsonb'")
  check('question as a parameter, one column', (await sql`select * from ask(${'how many customers'}) r`)[0].row, { count: 100 })
  await sql.unsafe('reset askpg.describe')
  check('error of a question', await code(sql.unsafe('-- ask: error: ASK02', [], { prepare: true })), 'ASK02')
  check('in a transaction', await sql.begin(async (tx) => {
    await tx`create temp table t (i int, s text) on commit preserve rows`
    await tx`insert into t ${tx([...Array(100).keys()].map((i) => ({ i, s: 'x' + i })))}`
    return (await tx.unsafe(ASK)).length
  }), rows.length)
  await pipeline(Readable.from([...Array(1000).keys()].map((i) => i + '\ty\n')), await sql`copy t from stdin`.writable())
  let out = ''
  await pipeline(await sql`copy (select * from t order by 1, 2) to stdout`.readable(), new Writable({ write(b, _, done) { out += b; done() } }))
  check('copy', [out.length, out.slice(0, 9)], [6570, '0\tx0\n0\ty\n'])
  const heard = new Promise((resolve) => sql.listen('news', resolve).then(() => direct.notify('news', 'hello')))
  check('notification', await heard, 'hello')
  for (const text of ['select pg_sleep(30)', '-- ask: wait']) {
    const q = sql.unsafe(text)
    setTimeout(() => q.cancel(), 300)
    check('cancel of ' + text, await code(q), '57014')
  }
  check('after it', (await sql`select 1 as a`)[0].a, 1)
  const large = 'large'.repeat(5000)
  const lo = await sql.largeObject()
  await pipeline(Readable.from([Buffer.from(large)]), await lo.writable())
  await lo.seek(0)
  let got = ''
  await pipeline(await lo.readable(), new Writable({ write(b, _, done) { got += b; done() } }))
  await lo.close()
  check('large object', got === large, true)
  await Promise.all([sql.end({ timeout: 5 }), direct.end({ timeout: 5 }), wrong.end({ timeout: 5 })])
  process.exit(failed ? 1 : 0)
}

main().catch((e) => {
  console.log('FAILED', e)
  process.exit(1)
})
