// Binds values of JavaScript's types to questions. Prints for each its name, the question that askpg read, and the answer.
const { Client } = require('pg')
const asks = [
  ['midnight', 'how many orders were placed after $1', new Date(Date.UTC(2024, 5, 1))],
  ['moment', 'how many orders were placed after $1', new Date(Date.UTC(2024, 5, 1, 13, 45))],
  ['integer', 'how many products have a price above $1', 100],
  ['decimal', 'how many products have a price above $1', 99.5],
  ['text', 'how many customers are in region $1', 'North'],
  ['bool', 'how many orders are $1', true],
  ['list', 'how many customers are in region $1', ['North', 'South']],
  ['nowhere', 'how many customers are in region $1', 'Atlantis'],
]
async function main() {
  const client = new Client({ connectionString: process.argv[2] })
  await client.connect()
  for (const [name, text, value] of asks) {
    let answer
    try {
      answer = Object.values((await client.query('-- ask: ' + text, [value])).rows[0])[0]
    } catch (e) { answer = e.message }
    const last = await client.query('SHOW askpg.last')
    console.log(`${name} | ${last.rows[0]?.question} | ${answer}`)
  }
  await client.end()
}
main().catch(e => { console.error(e); process.exit(1) })
