// Walks through the review page; TestBrowser of cmd/askpg starts it.
//
//   node walk.js NAME < specification
//
// The specification is a JSON object: base (address of the page), token,
// chromium (the program), pictures (folder, may be missing), only (names of the
// pictures that are wanted, all of them if it is missing), and what the walk
// of that name needs. It exits with 1 and says why if something is not as it
// has to be.
'use strict';

const walks = {
  keyboard: require('./keyboard.js'),
  looks: require('./looks.js'),
  hostile: require('./hostile.js'),
  rows: require('./rows.js'),
  verdict: require('./verdict.js'),
  provider: require('./provider.js'),
  teach: require('./teach.js'),
  replay: require('./replay.js'),
  queue: require('./queue.js'),
};

async function main() {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  await walks[process.argv[2]](JSON.parse(text));
}

main().catch((e) => { console.error(e.stack || e); process.exit(1); });
