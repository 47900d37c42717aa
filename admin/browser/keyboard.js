// The reviewer's work by keyboard alone and with JavaScript switched off: sign
// in, filter, open, correct (refused at first), find the next one, approve.
'use strict';

const { open, picture, pressEnter, tabTo: reach, assert } = require('./browser.js');

module.exports = async function keyboard(spec) {
  await open(spec, { scripts: false }, async (page, seen, context) => {
    const { keyboard } = page;
    const focus = async () => page.locator(':focus');
    const tabTo = (what) => reach(page, what);
    const enter = () => pressEnter(page);

    // Sign in: the first field has the focus already.
    await page.goto(spec.base + '/');
    assert.equal(await (await focus()).getAttribute('id'), 'name');
    await keyboard.type('Rita');
    await tabTo(page.getByLabel('Token'));
    await keyboard.type('not-the-token-of-this');
    await enter();
    assert.match(await page.getByRole('alert').innerText(), /Wrong token/);
    await keyboard.type('Rita');
    await tabTo(page.getByLabel('Token'));
    await keyboard.type(spec.token);
    await enter();
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Overview');

    // The first stop leads past the navigation.
    await keyboard.press('Tab');
    assert.equal(await (await focus()).innerText(), 'Skip to the content');

    // The queue, filtered; its address holds the filter and nothing else.
    await tabTo(page.getByRole('link', { name: 'To review' }));
    await enter();
    await tabTo(page.getByLabel('Words'));
    await keyboard.type(spec.question.split(' ').slice(-2).join(' '));
    await enter();
    assert.deepEqual([...new URL(page.url()).searchParams.keys()], ['q']);
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
    assert.equal(await rows.count(), 1, 'the filter finds the question');

    // Open it and correct it: the guard has its say first.
    await tabTo(page.getByRole('link', { name: spec.question }));
    await enter();
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), spec.question);
    const correct = async (sql) => {
      await keyboard.press('Control+A');
      await keyboard.insertText(sql);
      await tabTo(page.getByLabel('Note'));
      await keyboard.press('Control+A');
      await keyboard.type('gross of returns');
      await tabTo(page.getByRole('button', { name: 'Save corrected SQL' }));
      await enter();
    };
    await tabTo(page.getByLabel('SQL', { exact: true }));
    await correct(spec.bad);
    assert.match(await page.getByRole('alert').innerText(), /not accepted.*ASK05/s);
    assert.equal(await page.getByLabel('SQL', { exact: true }).inputValue(), spec.bad, 'what was typed is still there');
    assert.equal(await (await focus()).getAttribute('id'), 'sql', 'the focus is where the mistake is');
    await picture(page, spec, 'refused-wide-light');
    await correct(spec.good);
    assert.match(await page.getByRole('status').innerText(), /Corrected\. This question is answered by the verified example/);
    await picture(page, spec, 'corrected-wide-light');

    // The next one in the queue has the focus.
    assert.match(await (await focus()).innerText(), /Next to review/);
    await enter();
    assert.notEqual(await page.getByRole('heading', { level: 1 }).innerText(), spec.question);

    // Approve another one, by its key.
    await page.goto(spec.base + '/translations?q=' + encodeURIComponent(spec.approved.split(' ').slice(-2).join(' ')));
    await tabTo(page.getByRole('link', { name: spec.approved }));
    await enter();
    // Playwright's press() leaves out the text by which Chromium knows an access key.
    const devtools = await context.newCDPSession(page);
    await Promise.all([page.waitForNavigation(), devtools.send('Input.dispatchKeyEvent',
      { type: 'keyDown', modifiers: 1, key: 'a', code: 'KeyA', windowsVirtualKeyCode: 65, text: 'a', unmodifiedText: 'a' })]);
    assert.match(await page.getByRole('status').innerText(), /Approved\. This question is answered by the verified example/);

    // Mark what varies in a third one, as it is suggested; look at how it reads,
    // try another question, approve.
    await page.goto(spec.base + '/translations?q=' + encodeURIComponent(spec.marked.split(' ').slice(-2).join(' ')));
    await tabTo(page.getByRole('link', { name: spec.marked }));
    await enter();
    await tabTo(page.getByRole('button', { name: 'Suggest marks' }));
    await enter();
    assert.equal(await page.locator('.preview .reads mark').innerText(), spec.words);
    assert.equal(await (await focus()).getAttribute('id'), 'try', 'the focus is where another question can be tried');
    await keyboard.press('Control+A');
    await keyboard.type(spec.marked.replace(spec.words, spec.others));
    await enter();
    assert.ok((await page.locator('.preview pre').last().innerText()).includes(`'${spec.others}'`), 'the SQL has the other words');
    await picture(page, spec, 'marked-wide-light');
    await tabTo(page.getByRole('button', { name: 'Approve' }));
    await enter();
    assert.match(await page.getByRole('status').innerText(), /Approved\. This question is answered by the verified example/);

    // All are examples, with who and when.
    await page.goto(spec.base + '/examples');
    for (const question of [spec.question, spec.approved, spec.marked]) {
      assert.match(await page.getByRole('row').filter({ hasText: question }).innerText(), /verified[\s\S]*Rita/);
    }
    await page.goto(spec.base + '/');
    await tabTo(page.getByRole('button', { name: 'Sign out' }));
    await enter();
    assert.match(page.url(), /\/signin/);
    await page.goto(spec.base + '/translations');
    assert.match(page.url(), /\/signin/, 'signed out');
    assert.deepEqual(seen.dialogs.concat(seen.requests), []);
  });
};
