// Query builders and ORMs of JavaScript, which all send by node-postgres but for Drizzle's second driver.
//
//     tools.js TOOL ASKPG_PORT SERVER_PORT
const assert = require('assert');
const { Client, Pool } = require('pg');

const [tool, askpg, server] = process.argv.slice(2);
const at = (port) => `postgres://analyst@127.0.0.1:${port}/shop`;
const url = at(askpg);
const count = 'how many customers in Germany', names = 'customers in Germany', wrong = 'how many florps';
const moment = new Date(Date.UTC(2024, 5, 1, 13, 45));
const SQL = "SELECT count(*) FROM customers WHERE country = 'Germany'";
const forms = [`-- ask: ${count}`, `/* ask: ${count} */`, `ASK '${count}'`, `SELECT * FROM ask('${count}') AS r`];

let failed = 0;
async function check(name, got, want) {
  try {
    assert.deepStrictEqual(JSON.parse(JSON.stringify(await got())), want);
    console.log('ok', name);
  } catch (e) {
    failed++;
    console.log('FAILED', name, e.message);
  }
}
// what an error of a question says: its cause is the driver's, where the tool wraps it
async function refused(f) {
  try {
    await f();
  } catch (e) {
    const cause = e.cause || e.parent || e.driverError || e;
    return [cause.code, /florps/.test(cause.message), /askpg.last/.test(cause.hint)];
  }
  return 'nothing';
}
const whole = ['ASK01', true, true];
async function drain(rows) {
  let n = 0;
  for await (const _ of rows) n++;
  return n;
}

const tools = {
  async sequelize({ want, people }) {
    const { Sequelize, QueryTypes, DataTypes, Op } = require('sequelize');
    const s = new Sequelize(url, { logging: false });
    const run = (text, options) => s.query(text, { type: QueryTypes.SELECT, ...options });
    for (const form of forms) await check(form, () => run(form), want);
    // bind: sent to the server; replacements: written into the text, but not into comments
    for (const form of ['-- ask: how many customers in $1', 'ASK how many customers in $1']) await check(form, () => run(form, { bind: ['Germany'] }), want);
    await check('named value', () => run('-- ask: how many customers in $country', { bind: { country: 'Germany' } }), want);
    await check('replacement', () => run('ASK how many customers in ?', { replacements: ['Germany'] }), want);
    await check('replacement in a comment', async () => (await refused(() => run('-- ask: how many customers in ?', { replacements: ['Germany'] })))[0], 'ASK01');
    await check('question bound', () => run('SELECT * FROM ask($q) AS r', { bind: { q: count } }), want);
    await check('question replaced', () => run('SELECT * FROM ask(:q) AS r', { replacements: { q: count } }), want);
    const C = s.define('customers', { name: DataTypes.TEXT }, { timestamps: false });
    await check('mapped', async () => (await s.query(`-- ask: id and name of ${names}`, { model: C, mapToModel: true })).length, people);
    await check('literal', () => C.count({ where: { name: { [Op.in]: s.literal(`(/* ask: ${names} */)`) } } }), people);
    await check('its SQL', () => run("SELECT sql FROM ask($q, 'sql') AS r", { bind: { q: count } }), [{ sql: SQL }]);
    await check('error', () => refused(() => run(`-- ask: ${wrong}`)), whole);
    await check('the transaction goes on', () => s.transaction(async (transaction) => {
      await refused(() => run(`-- ask: ${wrong}`, { transaction }));
      return run('select 1 as x', { transaction });
    }), [{ x: 1 }]);
    await s.close();
  },

  async knex({ want, people, paged, everybody }) {
    const k = require('knex')({ client: 'pg', connection: url });
    const run = async (...args) => (await k.raw(...args)).rows;
    for (const form of forms) await check(form, () => run(form), want);
    await check('value', () => run('-- ask: how many customers in ?', ['Germany']), want);
    await check('named value', () => run('-- ask: how many customers in :country', { country: 'Germany' }), want);
    await check('question mark', () => run('-- ask: how many customers?'), everybody);
    await check('question bound', () => run('SELECT * FROM ask(?) AS r', [count]), want);
    for (const from of [k.raw('ask(?) AS r', [names]), k.raw(`(-- ask: ${names}\n) AS r`)]) {
      await check('from, paged', () => k.from(from).orderBy('name').limit(2).offset(1), paged);
      await check('from, counted', () => k.from(from).count(), want);
    }
    await check('with', () => k.with('t', k.raw(`-- ask: ${names}\n`)).from('t').count(), want);
    await check('stream', () => drain(k.raw(`-- ask: ${names}`).stream()), people);
    await check('its SQL', () => run("SELECT sql FROM ask(?, 'sql') AS r", [count]), [{ sql: SQL }]);
    await check('error', () => refused(() => k.raw(`-- ask: ${wrong}`)), whole);
    await k.destroy();
  },

  // Writes values into the text, as psycopg2 does.
  async 'pg-promise'({ want, people, several }) {
    const pgp = require('pg-promise')();
    const d = pgp({ connectionString: url, max: 2 });
    for (const form of forms) await check(form, () => d.any(form), want);
    for (const start of ['-- ask:', 'ASK']) {
      const run = (text, values) => d.any(`${start} ${text}`, values);
      await check(`value, ${start}`, () => run('how many customers in $1', ['Germany']), want);
      await check(`named value, ${start}`, () => run('how many customers in ${c}', { c: 'Germany' }), want);
      for (const list of ['$1', '($1:list)', '$1:csv']) await check(`list, ${list}, ${start}`, () => run(`how many customers in ${list}`, [['Germany', 'France']]), several);
      await check(`moment, ${start}`, () => run('how many orders were placed after $1', [moment]), await d.any('SELECT count(*) FROM orders WHERE ordered_at > $1', [moment]));
    }
    await check('question bound', () => d.any('SELECT * FROM ask($1) AS r', [count]), want);
    await check('prepared', () => d.any(new pgp.PreparedStatement({ name: 'p', text: '-- ask: how many customers in $1', values: ['Germany'] })), want);
    await check('func', () => d.func('ask', [count]), want);
    await check('several', () => d.multi(pgp.helpers.concat([`ASK '${count}'`, `ASK '${count}'`])), [want, want]);
    await check('line comments, joined', async () => (await refused(() => d.multi(pgp.helpers.concat([`-- ask: ${count}`, `-- ask: ${count}`]))))[0], 'ASK01');
    await check('stream', async () => {
      let n = 0;
      await d.stream(new (require('pg-query-stream'))(`-- ask: ${names}`), (s) => s.on('data', () => n++));
      return n;
    }, people);
    await check('error', () => refused(() => d.any(`-- ask: ${wrong}`)), whole);
    await check('the transaction goes on', () => d.tx(async (t) => {
      await refused(() => t.any(`-- ask: ${wrong}`));
      return t.any('select 1 as x');
    }), [{ x: 1 }]);
    await d.$pool.end();
  },

  async slonik({ want, people, several }) {
    const { createPool, sql } = require('slonik');
    const p = await createPool(url);
    const plain = (text) => sql.unsafe(Object.freeze(Object.assign([text], { raw: Object.freeze([text]) }))); // as of a template
    const run = async (query) => (await p.any(query)).map((row) => ({ count: String(row.count) }));
    for (const form of forms) await check(form, () => run(plain(form)), want);
    for (const country of ['Germany', sql.array(['Germany'], 'text')]) await check('value', () => run(sql.unsafe`-- ask: how many customers in ${country}`), want);
    for (const list of [sql.array(['Germany', 'France'], 'text'), sql.join(['Germany', 'France'], sql.fragment`, `)]) {
      await check('list', () => run(sql.unsafe`ASK how many customers in (${list})`), several);
    }
    await check('day', () => run(sql.unsafe`ASK how many orders were placed after ${sql.date(moment)}`), await run(sql.unsafe`SELECT count(*) FROM orders WHERE ordered_at >= ${sql.date(moment)} + 1`));
    await check('question bound', () => run(sql.unsafe`SELECT * FROM ask(${count}) AS r`), want);
    await check('stream', async () => {
      let n = 0;
      await p.stream(plain(`-- ask: ${names}`), (s) => s.on('data', () => n++));
      return n;
    }, people);
    await check('error', () => refused(() => run(plain(`-- ask: ${wrong}`))), whole);
    await check('the transaction goes on', () => p.transaction(async (t) => {
      await refused(() => t.any(plain(`-- ask: ${wrong}`)));
      return t.any(sql.unsafe`select 1 as x`);
    }), [{ x: 1 }]);
    await p.end();
  },

  async kysely({ want, people, paged }) {
    const { Kysely, PostgresDialect, sql } = require('kysely');
    const k = new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: url }), cursor: require('pg-cursor') }) });
    const run = async (query) => (await query.execute(k)).rows;
    for (const form of forms) await check(form, () => run(sql.raw(form)), want);
    await check('value', () => run(sql`-- ask: how many customers in ${'Germany'}`), want);
    await check('question bound', () => run(sql`SELECT * FROM ask(${count}) AS r`), want);
    const from = k.selectFrom(sql`ask(${names})`.as('r')).select('name');
    await check('from, paged', () => from.orderBy('name').limit(2).offset(1).execute(), paged);
    await check('stream', () => drain(from.stream(100)), people);
    await check('its SQL', () => run(sql`SELECT sql FROM ask(${count}, 'sql') AS r`), [{ sql: SQL }]);
    await check('error', () => refused(() => run(sql.raw(`-- ask: ${wrong}`))), whole);
    await k.destroy();
  },

  async drizzle({ want, paged }) {
    const { sql } = require('drizzle-orm');
    const pool = new Pool({ connectionString: url });
    const d = require('drizzle-orm/node-postgres').drizzle(pool);
    const run = async (query) => (await d.execute(query)).rows;
    for (const form of forms) await check(form, () => run(sql.raw(form)), want);
    await check('value', () => run(sql`-- ask: how many customers in ${'Germany'}`), want);
    await check('question bound', () => run(sql`SELECT * FROM ask(${count}) AS r`), want);
    await check('from, paged', () => d.select({ name: sql`name` }).from(sql`ask(${names}) AS r`).orderBy(sql`name`).limit(2).offset(1), paged);
    await check('its SQL', () => run(sql`SELECT sql FROM ask(${count}, 'sql') AS r`), [{ sql: SQL }]);
    await check('error', () => refused(() => run(sql.raw(`-- ask: ${wrong}`))), whole);
    await check('the transaction goes on', () => d.transaction(async (t) => {
      await refused(() => t.execute(sql.raw(`-- ask: ${wrong}`)));
      return (await t.execute(sql`select 1 as x`)).rows;
    }), [{ x: 1 }]);
    await pool.end();
    // Over postgres.js, which describes a statement before it binds, values take a setting.
    for (const [connection, value] of [[{}, 'refused'], [{ 'askpg.describe': 'jsonb' }, [{ row: { count: Number(want[0].count) } }]]]) {
      const client = require('postgres')(url, { max: 1, onnotice: () => {}, connection });
      const d = require('drizzle-orm/postgres-js').drizzle(client);
      for (const form of forms) await check(`postgres.js, ${form}`, () => d.execute(sql.raw(form)), want);
      for (const query of [sql`-- ask: how many customers in ${'Germany'}`, sql`SELECT * FROM ask(${count}) AS r`]) {
        await check('postgres.js, value', () => d.execute(query).catch((e) => (e.cause.code === '0A000' ? 'refused' : e)), value);
      }
      await client.end();
    }
  },

  async typeorm({ want, people, paged }) {
    const { DataSource, EntitySchema } = require('typeorm');
    const customer = new EntitySchema({ name: 'Customer', tableName: 'customers', columns: { id: { type: Number, primary: true }, name: { type: String } } });
    const s = await new DataSource({ type: 'postgres', url, installExtensions: false, entities: [customer] }).initialize();
    for (const form of forms) await check(form, () => s.query(form), want);
    await check('value', () => s.query('-- ask: how many customers in $1', ['Germany']), want);
    await check('question bound', () => s.query('SELECT * FROM ask($1) AS r', [count]), want);
    for (const from of [`(SELECT * FROM ask('${names}') AS a)`, `(/* ask: ${names} */)`]) {
      await check('query builder, paged', () => s.createQueryBuilder().select('r.name', 'name').from(from, 'r').orderBy('r.name').limit(2).offset(1).getRawMany(), paged);
    }
    await check('where', () => s.getRepository('Customer').createQueryBuilder('c').where(`c.name IN (/* ask: ${names} */)`).getCount(), people);
    const runner = s.createQueryRunner();
    await check('stream', async () => drain(await runner.stream(`-- ask: ${names}`)), people);
    await runner.release();
    await check('its SQL', () => s.query("SELECT sql FROM ask($1, 'sql') AS r", [count]), [{ sql: SQL }]);
    await check('error', () => refused(() => s.query(`-- ask: ${wrong}`)), whole);
    await check('the transaction goes on', () => s.transaction(async (m) => {
      await refused(() => m.query(`-- ask: ${wrong}`));
      return m.query('select 1 as x');
    }), [{ x: 1 }]);
    await s.destroy();
  },

  // The driver of Prisma's client 7: its queryRaw is what $queryRaw sends.
  async prisma({ want }) {
    const { PrismaPg } = require('@prisma/adapter-pg');
    const a = await new PrismaPg({ connectionString: url }).connect();
    const run = (through, sql, ...args) => through.queryRaw({ sql, args, argTypes: args.map(() => ({ scalarType: 'string', arity: 'scalar' })) });
    const rows = async (...args) => (await run(a, ...args)).rows;
    const counted = [[want[0].count]];
    for (const form of forms) await check(form, () => rows(form), counted);
    await check('value', () => rows('-- ask: how many customers in $1', 'Germany'), counted);
    await check('question bound', () => rows('SELECT * FROM ask($1) AS r', count), counted);
    await check('its SQL', () => rows("SELECT sql FROM ask($1, 'sql') AS r", count), [[SQL]]);
    await check('error', () => refused(() => rows(`-- ask: ${wrong}`)), whole);
    const transaction = await a.startTransaction();
    await refused(() => run(transaction, `-- ask: ${wrong}`));
    await check('the transaction goes on', async () => (await run(transaction, 'select 1')).rows, [[1]]);
    await transaction.commit();
    await a.dispose();
  },

  // Cube reads a cube's sql as a derived table.
  async cube({ people, paged }) {
    const { PostgresDriver } = require('@cubejs-backend/postgres-driver');
    const d = new PostgresDriver({ host: '127.0.0.1', port: Number(askpg), user: 'analyst', database: 'shop', ssl: false });
    for (const form of [`-- ask: ${names}\n`, `/* ask: ${names} */`, `ASK '${names}'`, `SELECT * FROM ask('${names}') AS r`]) {
      const over = `SELECT\n      "c".name "c__name", count(*) "c__count"\n    FROM\n      (${form}) AS "c"  WHERE ("c".name = $1) GROUP BY 1 ORDER BY 2 DESC LIMIT 10000`;
      await check(`cube, ${form}`, () => d.query(over, [paged[0].name]), [{ c__name: paged[0].name, c__count: '1' }]);
      await check(`streamed, ${form}`, async () => {
        const s = await d.stream(form, [], { highWaterMark: 100 });
        const n = await drain(s.rowStream);
        await s.release();
        return n;
      }, people);
      await check(`downloaded, ${form}`, async () => (await d.downloadQueryResults(form, [], { highWaterMark: 100 })).types, [{ name: 'name', type: 'text' }]);
    }
    await check('error', () => refused(() => d.query(`-- ask: ${wrong}`, [])), whole);
    await d.release();
  },

  // Evidence counts a query's rows first, in a WITH query, then reads them by a cursor.
  async evidence({ people }) {
    const run = require('@evidence-dev/postgres');
    for (const form of [`-- ask: ${names}`, `/* ask: ${names} */`, `ASK '${names}'`, `SELECT * FROM ask('${names}') AS r`]) {
      await check(form, async () => {
        const r = await run(form, { host: '127.0.0.1', port: Number(askpg), user: 'analyst', database: 'shop', ssl: false }, 100);
        let n = 0;
        for await (const batch of r.rows()) n += batch.length;
        return [n, r.expectedRowCount, r.columnTypes[0].evidenceType];
      }, [people, people, 'string']);
    }
  },
};

(async () => {
  const direct = new Client({ connectionString: at(server) });
  await direct.connect();
  const want = (await direct.query(SQL)).rows;
  const paged = (await direct.query("SELECT name FROM customers WHERE country = 'Germany' ORDER BY 1 LIMIT 2 OFFSET 1")).rows;
  const several = (await direct.query("SELECT count(*) FROM customers WHERE country IN ('Germany', 'France')")).rows;
  const everybody = (await direct.query('SELECT count(*) FROM customers')).rows;
  await direct.end();
  await tools[tool]({ want, paged, several, everybody, people: Number(want[0].count) });
  process.exit(failed ? 1 : 0);
})().catch((e) => { console.error(e); process.exit(1); });
