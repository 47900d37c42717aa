// A verdict verifies what the reviewer sees: by mouse and keyboard, without JavaScript, on a desk's screen and on a
// telephone's.
'use strict';

const { open, signIn, whole, accessible, picture, assert } = require('./browser.js');

const words = (text) => text.replace(/\s+/g, ' ').trim();

// visible fails unless the whole of an element is on the screen.
async function visible(page, selector, what) {
  const box = await page.locator(selector).boundingBox();
  const { height } = page.viewportSize();
  assert.ok(box && box.y >= 0 && box.y + box.height <= height, `${what} is not on the screen: ${JSON.stringify(box)} of ${height}`);
}

module.exports = async function verdict(spec) {
  for (const size of ['wide', 'narrow']) {
    await open(spec, { size, scripts: false }, async (page) => {
      await signIn(page, spec);
      const sql = page.getByLabel('SQL', { exact: true });
      const press = async (name) => Promise.all([page.waitForNavigation(), page.getByRole('button', { name, exact: true }).click()]);
      const said = async (what) => {
        assert.deepEqual(await page.getByRole('alert').allInnerTexts(), []);
        assert.match(await page.getByRole('status').innerText(), what);
      };
      const answered = spec.base + '/translations/' + spec.answered[size];

      // Approve after an edit verifies nothing, and shows the difference.
      await page.goto(answered);
      const answer = await sql.inputValue();
      assert.equal(await page.locator('#difference').count(), 0);
      await sql.fill(spec.other);
      await press('Approve');
      assert.match(await page.getByRole('alert').innerText(), /not the answer's/);
      assert.equal(await sql.inputValue(), spec.other);
      assert.ok((await page.locator('#difference ins').allInnerTexts()).join(' ').includes('North'), 'the difference is shown');
      await visible(page, '#refused', 'why it was not approved');
      await picture(page, spec, `verdict-edited-${size}-light`, false);

      // Enter in the note sends nothing.
      await page.getByLabel('Note').click();
      await page.keyboard.type('only the north');
      const before = page.url();
      await page.keyboard.press('Enter');
      await page.keyboard.type('of the country');
      assert.equal(page.url(), before);
      assert.equal(await page.getByLabel('Note').inputValue(), 'only the north\nof the country');

      // What is refused says why where the reviewer looks.
      await sql.fill(spec.bad + '\n'.repeat(40));
      await press('Save corrected SQL');
      assert.match(await page.getByRole('alert').innerText(), /not accepted.*ASK05/s);
      assert.equal(await page.locator(':focus').getAttribute('id'), 'sql');
      await visible(page, '#refused', 'why the correction was refused');

      // Pressing twice keeps the correction; Approve does not put the answer back.
      await sql.fill(spec.other);
      for (let i = 0; i < 2; i++) {
        await press('Save corrected SQL');
        await said(/Corrected\./);
        assert.equal(words(await sql.inputValue()), words(spec.other));
      }
      await press('Approve');
      assert.match(await page.getByRole('alert').innerText(), /not the answer's/);
      await page.goto(answered);
      assert.equal(words(await sql.inputValue()), words(spec.other), 'the box holds what is verified');
      assert.notEqual(words(answer), words(spec.other));

      // A question without an answer: the box starts with the leading reading, another one is used and saved.
      await page.goto(spec.base + '/translations/' + spec.unsure[size]);
      assert.ok(await page.getByRole('button', { name: 'Approve', exact: true }).isDisabled());
      assert.equal(words(await sql.inputValue()), words(spec.readings[0]));
      await press('Use this reading: B');
      assert.equal(words(await sql.inputValue()), words(spec.readings[1]));
      await said(/reading B.*Nothing is verified/s);
      await press('Save corrected SQL');
      await said(/Corrected\./);
      assert.equal(words(await sql.inputValue()), words(spec.readings[1]));
    });
    // The states of the form are whole and accessible; axe-core needs scripts.
    await open(spec, { size }, async (page) => {
      await signIn(page, spec);
      await page.goto(spec.base + '/translations/' + spec.answered[size]);
      await page.getByLabel('SQL', { exact: true }).fill(spec.bad);
      await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Save corrected SQL' }).click()]);
      await whole(page, `a refused verdict (${size})`);
      await accessible(page, `a refused verdict (${size})`);
      await page.goto(spec.base + '/translations/' + spec.unsure[size]);
      await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Use this reading: A' }).click()]);
      await whole(page, `a reading in the box (${size})`);
      await accessible(page, `a reading in the box (${size})`);
    });
  }
};
