// Drives a proxy and a server side by side with node-postgres: what a question
// returns through the proxy must be what its SQL returns directly. Prints one
// line for each check.
//
// usage: node_client.js PROXY_PORT SERVER_PORT DATABASE [CA]
const { Client, Pool } = require('pg')
const copy = require('pg-copy-streams')
const Cursor = require('pg-cursor')
const fs = require('fs')
const { Readable } = require('stream')
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

function options(port, password) {
  const ssl = ca && port === proxy ? { ca: fs.readFileSync(ca) } : false
  return { host: '127.0.0.1', port: +port, database, user: 'driver_role', password, ssl }
}

async function rows(client, query) {
  const r = await client.query(query)
  return { types: r.fields.map((f) => f.dataTypeID), rows: r.rows }
}

async function main() {
  const direct = new Client(options(server, 'secret'))
  const client = new Client(options(proxy, 'secret'))
  await direct.connect()
  await client.connect()
  if (ca) check('wrong password', await code(new Client(options(proxy, 'wrong')).connect()), '28P01')
  const want = await rows(direct, SQL)
  for (const [i, text] of [ASK, `/* ask: run: ${SQL} */`, `ASK $$run: ${SQL}$$`, `SELECT * FROM ask($$run: ${SQL}$$) AS r`].entries()) {
    check('question, simple, ' + i, await rows(client, text), want)
    for (const turn of [1, 2]) check(`question, prepared, ${i}, turn ${turn}`, await rows(client, { text, name: 'q' + i }), want)
  }
  check('parameters', (await client.query("select sum(a)::int as n from ask('run: select 1 as a') r where a < $1", [5])).rows, [{ n: 1 }])
  check('values in a question', (await client.query("-- ask: run: select $1 || 'x' as x, $2 + 1 as n", ["O'Neil", 2])).rows, [{ x: "O'Neilx", n: 3 }])
  check('question as a parameter', await rows(client, { text: 'select * from ask($1) r', values: ['run: ' + SQL] }), want)
  const cursor = client.query(new Cursor(ASK))
  const parts = []
  for (;;) {
    const part = await cursor.read(7)
    if (part.length === 0) break
    parts.push(...part)
  }
  await cursor.close()
  check('question, cursor', parts, want.rows)
  const queued = await Promise.all([client.query('select 1 as a'), client.query(ASK), client.query('select $1::int as a', [2])])
  check('queued', [queued[0].rows[0].a, queued[1].rows.length, queued[2].rows[0].a], [1, want.rows.length, 2])
  check('error', await code(client.query('select nosuch')), '42703')
  check('error of a question', await code(client.query('-- ask: error: ASK02')), 'ASK02')
  await client.query('begin')
  await client.query('create temp table t (i int, s text) on commit preserve rows')
  check('in a transaction', await rows(client, ASK), want)
  await client.query('commit')
  await pipeline(Readable.from([...Array(1000).keys()].map((i) => i + '\ty\n')), client.query(copy.from('copy t from stdin')))
  let out = ''
  for await (const piece of client.query(copy.to('copy (select * from t order by 1) to stdout'))) out += piece
  check('COPY', [out.length, out.slice(0, 8)], [5890, '0\ty\n1\ty\n'])
  check('COPY that fails', await code(pipeline(Readable.from(['no number\tx\n']), client.query(copy.from('copy t from stdin')))), '22P02')
  const heard = new Promise((resolve) => client.on('notification', (n) => resolve(n.payload)))
  await client.query('listen news')
  await direct.query("notify news, 'hello'")
  check('notification', await heard, 'hello')
  for (const text of ['select pg_sleep(30)', '-- ask: wait']) {
    const query = client.query(text)
    // The driver sends its cancel requests without TLS.
    setTimeout(() => new Client({ ...options(proxy, 'secret'), ssl: false }).cancel(client, client.activeQuery || client._activeQuery), 300)
    check('cancel of ' + text, await code(query), '57014')
  }
  await client.query('begin')
  const oid = (await client.query('select lo_from_bytea(0, $1) as oid', [Buffer.from('large'.repeat(20000))])).rows[0].oid
  check('large object', (await client.query('select lo_get($1) as b', [oid])).rows[0].b.toString() === 'large'.repeat(20000), true)
  await client.query('rollback')
  const pool = new Pool({ ...options(proxy, 'secret'), max: 4 })
  const answers = await Promise.all([...Array(40).keys()].map((i) => pool.query(i % 2 ? 'select 100 as n' : '-- ask: how many customers')))
  check('pool', answers.every((r) => +Object.values(r.rows[0])[0] === 100), true)
  await Promise.all([pool.end(), client.end(), direct.end()])
  process.exit(failed ? 1 : 0)
}

main().catch((e) => {
  console.log('FAILED', e)
  process.exit(1)
})
