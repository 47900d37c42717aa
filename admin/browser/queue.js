// Several rows of the queue are judged at once, by keyboard alone and without JavaScript. What is refused is told by row.
'use strict';

const { open, signIn, whole, accessible, pressEnter, tabTo, picture, assert } = require('./browser.js');

module.exports = async function queue(spec) {
  for (const size of ['wide', 'narrow']) {
    const [first, second, third, unanswered] = spec.queue[size];
    const box = (page, question) => page.getByRole('checkbox', { name: `Choose: ${question}`, exact: true });
    await open(spec, { size, scripts: false }, async (page) => {
      await signIn(page, spec, '/review?database=shop');
      const { keyboard } = page;
      const enter = () => pressEnter(page);
      const choose = async (...questions) => {
        await page.goto(spec.base + '/review?database=shop');
        // In the order of the page, so that Tab reaches one after the other.
        const all = await page.getByRole('checkbox').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')));
        for (const question of questions.sort((a, b) => all.indexOf(`Choose: ${a}`) - all.indexOf(`Choose: ${b}`))) {
          await tabTo(page, box(page, question));
          await keyboard.press('Space');
        }
      };

      // Enter on a box, or in a field, judges nothing.
      await choose(first);
      await enter();
      assert.deepEqual(await page.getByRole('status').allInnerTexts(), []);
      assert.ok(await box(page, first).isChecked(), 'the row is still chosen');

      // Of two rows one is approved, and the other says why not and stays chosen.
      await choose(first, unanswered);
      await tabTo(page, page.getByLabel('Note'));
      await keyboard.type('seen together');
      await tabTo(page, page.getByRole('button', { name: 'Approve' }));
      await enter();
      const alert = page.getByRole('alert');
      assert.match(await alert.innerText(), /1 of 2 not approved/);
      assert.ok((await alert.innerText()).includes(`${unanswered}: It has no answer`));
      assert.equal(await page.locator(':focus').getAttribute('id'), 'untaken', 'the focus is where the reason is');
      assert.ok(await box(page, unanswered).isChecked());
      assert.equal(await page.getByLabel('Note').inputValue(), 'seen together');
      assert.equal(await box(page, first).count(), 0, 'what is approved waits no more');
      await picture(page, spec, `chosen-refused-${size}-light`, false);

      // Assign one to oneself, and find it.
      await choose(second);
      await tabTo(page, page.getByRole('button', { name: 'Assign' }));
      await enter();
      assert.match(await page.getByRole('status').innerText(), /1 row assigned/);
      await page.goto(spec.base + '/review?assigned=me');
      assert.equal(await page.getByRole('checkbox').count(), 1);

      await choose(second, third);
      await picture(page, spec, `chosen-${size}-light`, false);
      await tabTo(page, page.getByRole('button', { name: 'Reject' }));
      await enter();
      assert.match(await page.getByRole('status').innerText(), /2 rows rejected/);
      assert.equal(await box(page, second).count() + await box(page, third).count(), 0);
      assert.match(page.url(), /database=shop/, 'the filter stays');
    });
    for (const scheme of ['light', 'dark']) { // axe-core needs scripts
      await open(spec, { size, scheme }, async (page) => {
        await signIn(page, spec, '/review');
        await box(page, unanswered).check();
        await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Approve' }).click()]);
        await whole(page, `chosen rows (${size}, ${scheme})`);
        await accessible(page, `chosen rows (${size}, ${scheme})`);
        await picture(page, spec, `chosen-untaken-${size}-${scheme}`, false);
      });
    }
  }
};
