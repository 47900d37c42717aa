// Pages full of text that wants to be more than text: nothing of it may run,
// be fetched, leave its place or reverse its surroundings.
'use strict';

const { open, signIn, whole, accessible, picture, assert } = require('./browser.js');

module.exports = async function hostile(spec) {
  for (const size of ['wide', 'narrow']) {
    await open(spec, { size }, async (page, seen, context) => {
      await context.addInitScript(() => {
        window.refused = [];
        document.addEventListener('securitypolicyviolation', (e) => window.refused.push(e.violatedDirective + ' ' + e.blockedURI));
      });
      await signIn(page, spec);
      for (const { name, path } of spec.pages) {
        const where = `${name} (${size})`;
        const response = await page.goto(spec.base + path);
        assert.equal(response.status(), 200, where);
        assert.match(response.headers()['content-security-policy'], /^default-src 'none'; style-src 'self'/, where);
        await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
        await whole(page, where);
        const found = await page.evaluate(() => ({
          pwned: window.pwned === undefined ? null : String(window.pwned),
          refused: window.refused,
          styled: [...document.querySelectorAll('[style],style,link:not([href^="/assets/"])')].map((e) => e.outerHTML.slice(0, 80)),
          images: [...document.images].map((e) => e.getAttribute('src')).filter((s) => s !== '/assets/icon.svg'),
          away: [...document.querySelectorAll('a[href],form[action]')].map((e) => new URL(e.getAttribute('href') || e.getAttribute('action'), location).href).filter((h) => !String(h).startsWith(location.origin + '/')),
          headings: document.querySelectorAll('main').length,
          navigation: document.querySelector('nav').innerText.replace(/\s+/g, ' ').replace(/ \d+ waiting/, '').trim(),
          // What is sent back in a form has to be as it is; everything else has to be seen.
          unseen: (() => {
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const bad = [];
            while (walker.nextNode()) {
              const n = walker.currentNode;
              if (!n.parentElement.closest('textarea') && /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/.test(n.data)) bad.push(JSON.stringify(n.data.slice(0, 60)));
            }
            return bad;
          })(),
        }));
        assert.deepEqual(found, { pwned: null, refused: [], styled: [], images: [], away: [], headings: 1, navigation: 'Overview To review Translations Examples', unseen: [] }, where);
        await accessible(page, where);
        await picture(page, spec, `hostile-${name}-${size}`, false);
      }
      assert.deepEqual(seen.dialogs.concat(seen.requests), [], 'nothing pops up, nothing is fetched from elsewhere');
    });
  }
};
