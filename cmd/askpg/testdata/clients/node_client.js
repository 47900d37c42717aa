// Asks through node-postgres, by simple queries and by named prepared statements.
const assert = require('assert');
const { Client } = require('pg');

const [proxy, direct, question, gold] = process.argv.slice(2);

async function rows(client, query) {
  const r = await client.query(query);
  return { types: r.fields.map((f) => f.dataTypeID), rows: r.rows.map((row) => Object.values(row)).sort((a, b) => (String(a) < String(b) ? -1 : 1)) }; // no order was asked for
}

(async () => {
  const d = new Client({ connectionString: direct });
  const p = new Client({ connectionString: proxy });
  await d.connect();
  await p.connect();
  const want = await rows(d, gold);
  const texts = [
    `-- ask: ${question}`,
    `/* ask: ${question} */`,
    `ASK $$${question}$$`,
    `SELECT * FROM ask('${question.replace(/'/g, "''")}') AS r`,
  ];
  for (const [i, text] of texts.entries()) {
    assert.deepStrictEqual(await rows(p, text), want, text);
    assert.deepStrictEqual(await rows(p, { text, name: `q${i}` }), want, `${text} prepared`);
    assert.deepStrictEqual(await rows(p, { text, name: `q${i}` }), want, `${text} prepared, again`);
    console.log('ok', text);
  }
  await d.end();
  await p.end();
})().catch((e) => { console.error(e); process.exit(1); });
