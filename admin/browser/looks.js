// Every page in light and dark, wide and narrow: whole, accessible, and a
// picture of it.
'use strict';

const { open, signIn, settle, assert } = require('./browser.js');

module.exports = async function looks(spec) {
  for (const size of ['wide', 'narrow']) {
    for (const scheme of ['light', 'dark']) {
      await open(spec, { size, scheme }, async (page, seen) => {
        const look = (name, screen) => settle(page, spec, { size, scheme }, name, !screen);
        await page.goto(spec.base + '/');
        await look('signin');
        await signIn(page, spec);
        for (const { name, path, open, press, screen } of spec.pages) {
          await page.goto(spec.base + path);
          if (press) await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: press }).click()]);
          if (open) await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
          await look(name, screen);
        }
        assert.deepEqual(seen.dialogs.concat(seen.requests), [], 'nothing pops up, nothing is fetched from elsewhere');
      });
    }
  }
};
