// Somebody signs in at an OpenID provider, which is another site, by keyboard, and signs out: with and without scripts. A
// viewer is shown nothing that judges.
'use strict';

const { open, whole, accessible, picture, assert } = require('./browser.js');

module.exports = async function provider(spec) {
  for (const size of ['wide', 'narrow']) {
    const scripts = size === 'wide';
    await open(spec, { size, scripts, scheme: scripts ? 'light' : 'dark' }, async (page, seen, context) => {
      const settled = async (what) => {
        if (!scripts) return picture(page, spec, `${what.replace(/ /g, '-')}-${size}`, false);
        await whole(page, `${what} (${size})`);
        await accessible(page, `${what} (${size})`);
        await picture(page, spec, `${what.replace(/ /g, '-')}-${size}`, false);
      };
      const address = spec.base + '/translations/' + spec.answered[size];
      const buttons = () => page.getByRole('button', { name: /^(Approve|Save corrected SQL|Reject|Use this reading.*|See the rows.*|Retire.*)$/ });

      await page.goto(address);
      await settled('the sign-in');
      await page.getByRole('link', { name: 'Sign in at ' + spec.provider }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(address);
      assert.match(await page.getByRole('banner').innerText(), /rita@example\.org/);

      if (spec.viewer) {
        assert.match(await page.getByRole('banner').innerText(), /read-only/);
        assert.equal(await buttons().count(), 0, 'a viewer is shown buttons that judge');
        assert.equal(await page.getByRole('textbox', { name: 'SQL' }).count(), 0);
        await settled('as a viewer');
        await page.goto(spec.base + '/examples');
        assert.equal(await buttons().count(), 0, 'a viewer is shown buttons that judge');
      } else {
        await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Approve', exact: true }).click()]);
        assert.match(await page.getByRole('status').first().innerText(), /Approved\./);
        assert.match(await page.getByRole('main').innerText(), /approved by rita@example\.org \(oidc\)/);
        await settled('as a reviewer');
      }

      const cookies = await context.cookies();
      assert.ok(cookies.some((c) => c.name === 'askpg_session' && c.httpOnly && c.sameSite === 'Strict'), JSON.stringify(cookies));
      await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Sign out' }).click()]);
      await context.addCookies(cookies.filter((c) => c.name === 'askpg_session'));
      await page.goto(address);
      assert.ok(page.url().startsWith(spec.base + '/signin'), 'the cookie lives on after the sign-out');
    });
  }
};
