// An administrator says what a word means on the page of a question that was not understood, and edits the semantics file: by
// keyboard alone, in light and dark, on a desk's screen and on a telephone's.
'use strict';

const { open, signIn, settle, pressEnter, tabTo: reach, assert } = require('./browser.js');

module.exports = async function teach(spec) {
  for (const size of ['wide', 'narrow']) {
    for (const scheme of ['light', 'dark']) {
      await open(spec, { size, scheme }, async (page) => {
        await signIn(page, spec);
        const settled = (what) => settle(page, spec, { size, scheme }, what);
        const enter = () => pressEnter(page);
        const tabTo = (what) => reach(page, what, 80);
        const form = page.getByRole('region', { name: 'Teach what it means' });
        await page.goto(spec.base + '/translations/' + spec.failed[size]);
        await settled('teach');

        if (scheme === 'light') { // the word that was not understood stands in the form; what it means is added to the file
          assert.equal(await form.getByLabel('Word, or several').inputValue(), spec.taught[size]);
          await tabTo(form.getByLabel('means the table or column'));
          await page.keyboard.type('public.customers');
          await enter();
          assert.match(await form.getByRole('status').innerText(), /Added to the semantics file/);
          assert.match(await page.getByRole('main').innerText(), /taught by Rita/);
          const { y } = await form.getByRole('status').boundingBox();
          assert.ok(y >= 0 && y < page.viewportSize().height, `what was added is not on the screen: ${y}`);
          await settled('taught');
        }

        // What does not fit the database says why, beside what was typed.
        await tabTo(form.getByText('A default filter'));
        await page.keyboard.press('Enter');
        await tabTo(form.getByLabel('Of table', { exact: true }));
        await page.keyboard.type('customers');
        await tabTo(form.getByLabel('only these rows count'));
        await page.keyboard.type('nothing = 1');
        await enter();
        assert.match(await form.getByRole('alert').innerText(), /does not fit database "shop" as role "analyst".*no column "nothing"/s);
        assert.equal(await form.getByLabel('only these rows count').inputValue(), 'nothing = 1');
        assert.equal(await page.locator(':focus').getAttribute('id'), 'filter-of', 'the focus is in the form that was refused');
        await settled('not taught');

        // The page of the file: its history, a check, and two who save at once.
        await page.getByRole('link', { name: 'Definitions' }).focus();
        await enter();
        const text = page.getByLabel('Its text');
        assert.match(await text.inputValue(), /^# ours\n/);
        if (scheme === 'light') assert.match(await page.getByRole('region', { name: 'History' }).innerText(), new RegExp(`Rita \\(token\\)[^]*synonyms = \\["${spec.taught[size]}"\\]`));
        await settled('definitions');
        // What SQL in use says is proposed; one definition is accepted, and another refused.
        await page.getByRole('link', { name: 'Proposals from SQL in use' }).focus();
        await enter();
        if (scheme === 'light') {
          await tabTo(page.getByLabel('Statements of dashboards'));
          await page.keyboard.insertText(`-- calls: 400; by: bi; source: dashboard "Sales"
            SELECT region, sum(o.total) AS takings_${size} FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.status <> 'cancelled' GROUP BY region;
            -- calls: 30; by: ann; source: report
            SELECT sum(total) AS takings_${size} FROM orders WHERE status <> 'cancelled';
            SELECT sum(total) AS takings_${size} FROM orders;
            -- calls: 50; by: ann
            SELECT count(*) AS big_orders_${size} FROM orders WHERE total > 500;`);
          await page.getByLabel('Database').selectOption('shop');
          await page.getByLabel('as role').selectOption('analyst');
          await tabTo(page.getByRole('button', { name: 'Propose' }));
          await enter();
          assert.match(await page.getByRole('article').filter({ has: page.getByRole('heading', { name: new RegExp(`measure takings.${size}`) }) }).innerText(), /in 2 of 3 statements[^]*for it: SELECT[^]*against it: SELECT/);
          await settled('proposals');
          await tabTo(page.getByRole('button', { name: new RegExp(`Accept: measure takings.${size}`) }));
          await enter();
          assert.match(await page.getByRole('status').innerText(), /Accepted/);
          await tabTo(page.getByRole('button', { name: new RegExp(`Refuse: measure big.orders.${size}`) }));
          await enter();
          assert.match(await page.getByRole('status').innerText(), /Refused/);
          assert.equal(await page.getByRole('heading', { name: new RegExp(`measure .*${size}`) }).count(), 0);
        } else {
          await settled('proposals');
        }
        await page.goto(spec.base + '/definitions');
        if (scheme === 'light') assert.match(await page.getByRole('region', { name: 'History' }).innerText(), new RegExp(`# refused proposal [^]*by Rita[^]*# accepted [^]*by Rita[^]*name = "takings.${size}"`));
        const held = await text.inputValue();
        await text.fill(held + '[[table]]\nname = "nowhere"\n');
        await page.getByLabel('Check against database').selectOption('shop');
        await tabTo(page.getByRole('button', { name: 'Check' }));
        await enter();
        assert.match(await page.getByRole('alert').innerText(), /no table "nowhere"/);
        await settled('definitions refused');
        await text.fill(held + `# seen ${size} ${scheme}\n`);
        await tabTo(page.getByRole('button', { name: 'Check' }));
        await enter();
        assert.match(await page.getByRole('status').innerText(), /It fits database "shop" as role "analyst" sees it\. Nothing is saved yet/);
        assert.match(await page.getByRole('region', { name: 'What the text would change' }).locator('ins').innerText(), /# seen/);
        await settled('definitions checked');
        const other = await page.context().newPage();
        await other.goto(spec.base + '/definitions');
        await other.getByLabel('Its text').fill(held + `# theirs ${size} ${scheme}\n`);
        await Promise.all([other.waitForNavigation(), other.getByRole('button', { name: 'Save' }).click()]);
        assert.match(await other.getByRole('status').innerText(), /Saved/);
        await other.close();
        await tabTo(page.getByRole('button', { name: 'Save' }));
        await enter();
        assert.match(await page.getByRole('alert').innerText(), /has changed since you opened it/);
        assert.match(await page.getByRole('region', { name: 'What the text would change' }).locator('del').innerText(), /# theirs/);
        await settled('definitions changed');
        await text.fill(held + `# theirs ${size} ${scheme}\n# seen ${size} ${scheme}\n`);
        await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Save' }).click()]);
        assert.match(await page.getByRole('status').innerText(), /Saved/);
        assert.match(await text.inputValue(), new RegExp(`# theirs ${size} ${scheme}\n# seen ${size} ${scheme}\n$`));
      });
    }
  }
};
