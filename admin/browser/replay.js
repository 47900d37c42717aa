// An administrator replays the verified examples and reads what would change for whom: by keyboard alone, in light and dark, on a
// desk's screen and on a telephone's.
'use strict';

const { open, signIn, settle, pressEnter, tabTo: reach, assert } = require('./browser.js');

module.exports = async function replay(spec) {
  for (const size of ['wide', 'narrow']) {
    for (const scheme of ['light', 'dark']) {
      await open(spec, { size, scheme }, async (page) => {
        await signIn(page, spec);
        const settled = (what) => settle(page, spec, { size, scheme }, what);
        const enter = () => pressEnter(page);
        const tabTo = (what) => reach(page, what);
        await page.goto(spec.base + '/examples');
        await tabTo(page.getByRole('link', { name: 'Replay them' }));
        await enter();
        if (size === 'wide' && scheme === 'light') { // one run does for all pictures
          await settled('replay');
          await tabTo(page.locator('select[name=model]'));
          await page.keyboard.press('t');
          await tabTo(page.getByLabel('Calls of models at most'));
          await page.keyboard.press('Control+A');
          await page.keyboard.type('90');
          await tabTo(page.getByRole('button', { name: 'Replay 3 examples' }));
          await enter();
          assert.equal(await page.getByRole('heading', { level: 2 }).innerText(), 'A replay runs');
          assert.match(await page.locator(':focus').innerText(), /how far/);
          await settled('replay runs');
          while (await page.getByRole('heading', { name: 'A replay runs' }).count()) await enter();
        }
        const figure = async (name) => page.locator('dl.figures div').filter({ has: page.getByText(name, { exact: true }) }).locator('dd').innerText();
        for (const [name, want] of Object.entries({ 'Same rows': '1', 'Other rows': '1', 'No answer': '1', 'Not known': '0', 'Not asked': '0' })) assert.equal(await figure(name), want, name);
        assert.match(await page.getByRole('region', { name: 'For whom it would change' }).innerText(), /analyst at shop\s+3\s+1\s+1\s+1\s+0/);
        const differs = page.getByRole('region', { name: 'Other rows' });
        assert.match(await differs.innerText(), new RegExp(spec.question + '[^]*asked by analyst at shop[^]*Verified[^]*Replayed'));
        assert.match(await differs.locator('ins').first().innerText(), /\S/);
        assert.match(await page.getByRole('region', { name: 'No answer' }).innerText(), new RegExp(spec.other + '[^]*ASK0'));
        await page.getByRole('region', { name: 'Same rows' }).getByText('1 example').click();
        assert.match(await page.getByRole('region', { name: 'Same rows' }).innerText(), new RegExp(spec.approved));
        await settled('replayed');
      });
    }
  }
};
