// What a driver sends for a few statements, to be recorded: see TestSeeds.
//
// usage: client.js pg|postgres PORT
const [driver, port] = process.argv.slice(2)
const login = { host: '127.0.0.1', port: +port, user: 'scram_role', password: 'secret', database: 'postgres' }
const ASK = '-- ask: how many customers'
const tolerant = (promise) => promise.catch((e) => console.log(driver, e.code))

async function pg() {
  const { Client } = require('pg')
  const c = new Client(login)
  await c.connect()
  await c.query("select 1 as one, 'two'")
  await c.query('select $1::int + 1, $2::text', [41, 'text'])
  await c.query({ name: 'named', text: 'select $1::int', values: [1] })
  await tolerant(c.query('select nosuch'))
  await tolerant(c.query(ASK))
  await c.end()
}

async function postgresjs() {
  const sql = require('postgres')({ ...login, max: 1, fetch_types: false })
  await sql.unsafe("select 1 as one, 'two'")
  await Promise.all([sql`select ${41}::int + 1, ${'text'}::text`, sql`select 2`])
  await tolerant(sql`select nosuch`)
  await tolerant(sql.unsafe(ASK))
  await sql.end()
}

;(driver === 'pg' ? pg() : postgresjs()).catch((e) => { console.error(e); process.exit(1) })
