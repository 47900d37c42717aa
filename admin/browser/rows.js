// A reviewer sees rows of SQL as the role that asked would, and how two results differ: by keyboard, in light and dark, on a
// desk's screen and on a telephone's.
'use strict';

const { open, signIn, settle, assert } = require('./browser.js');

module.exports = async function rows(spec) {
  for (const size of ['wide', 'narrow']) {
    for (const scheme of ['light', 'dark']) {
      await open(spec, { size, scheme }, async (page) => {
        await signIn(page, spec);
        const settled = (what) => settle(page, spec, { size, scheme }, what, false);
        const sql = page.getByLabel('SQL', { exact: true });
        await page.goto(spec.base + '/translations/' + spec.answered[size]);

        // Tab leads from the box to the button; the rows have the focus afterwards.
        await sql.fill(spec.other);
        await sql.focus();
        for (let i = 0; i < 10 && await page.locator(':focus').innerText() !== 'See the rows'; i++) await page.keyboard.press('Tab');
        assert.equal(await page.locator(':focus').innerText(), 'See the rows');
        await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
        assert.match(await page.locator(':focus').innerText(), /^Rows/);
        const table = page.getByRole('region', { name: 'The rows of the SQL in the box' });
        assert.deepEqual(await table.locator('td').allInnerTexts(), [spec.rows]);
        assert.equal(await sql.inputValue(), spec.other, 'the box keeps what was run');
        await settled('rows');

        // Two results differ in rows.
        await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Compare with A: the rows of B' }).press('Enter')]);
        assert.match(await page.getByRole('region', { name: 'Only in A' }).innerText(), /\d/);
        assert.match(await page.getByRole('region', { name: 'Only in B' }).innerText(), /\d/);
        assert.match(await page.getByText(/Rows in both/).innerText(), /: 0\./);
        await settled('rows compared');

        // What is refused says why beside the box, and shows nothing.
        await sql.fill(spec.bad);
        await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'See the rows', exact: true }).click()]);
        assert.match(await page.getByRole('alert').innerText(), /rows are not shown.*ASK05/s);
        assert.equal(await page.locator('#rows-seen').count(), 0);
        await settled('rows refused');

        // Enter in the words that are tried with marks runs no SQL.
        await page.goto(spec.base + '/translations/' + spec.answered[size]);
        const said = await page.getByText('see rows').count();
        await page.getByLabel('Question').fill('how many patrons of the {kind:' + size + '} kind');
        await sql.fill("SELECT count(*) FROM customers WHERE region <> {kind:'" + size + "'}");
        await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Preview the marks' }).click()]);
        if (await page.getByLabel('Try another question').count()) {
          await page.getByLabel('Try another question').focus();
          await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
        }
        assert.equal(await page.locator('#rows-seen').count(), 0);
        assert.equal(await page.getByText('see rows').count(), said, 'nothing more was run');
      });
    }
  }
};
