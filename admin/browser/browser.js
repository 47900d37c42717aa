// What every walk through the review page needs: Chromium, the checks that
// hold on each page, and pictures.
'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const assert = require('node:assert/strict');
const { chromium } = require('playwright-core');

const axeSource = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

// The sizes that the page is looked at in: a desk's screen and a telephone's.
const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } };

// open starts Chromium with an empty profile, runs work in a new context, and
// ends it. Scripts of the page are collected as they run or are refused.
async function open(spec, options, work) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'askpg-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: spec.chromium,
    headless: true,
    chromiumSandbox: false,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    viewport: sizes[options.size || 'wide'],
    colorScheme: options.scheme || 'light',
    javaScriptEnabled: options.scripts !== false,
  });
  context.setDefaultTimeout(spec.timeout || 60000);
  context.setDefaultNavigationTimeout(spec.timeout || 60000);
  const seen = { dialogs: [], requests: [], console: [] };
  const watch = (page) => {
    page.on('dialog', (d) => { seen.dialogs.push(d.message()); d.dismiss().catch(() => {}); });
    page.on('request', (r) => { if (!r.url().startsWith(spec.base + '/')) seen.requests.push(r.url().slice(0, 200)); });
    page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') seen.console.push(m.text().slice(0, 300)); });
  };
  context.on('page', watch);
  context.pages().forEach(watch);
  try {
    return await work(context.pages()[0] || await context.newPage(), seen, context);
  } finally {
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

// signIn fills the form in as a person with a mouse does.
async function signIn(page, spec, to = '/') {
  await page.goto(spec.base + to);
  await page.getByLabel('Your name').fill('Rita');
  await page.getByLabel('Token').fill(spec.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((u) => !u.pathname.startsWith('/signin'));
}

// whole fails unless the page fits its window and holds nothing active.
async function whole(page, where) {
  const found = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (e) => { for (; e; e = e.parentElement) { const o = getComputedStyle(e).overflowX; if (o === 'auto' || o === 'scroll' || o === 'hidden') return true; } return false; };
    const wide = [...document.body.querySelectorAll('*')].filter((e) => {
      const r = e.getBoundingClientRect();
      return r.width > 0 && r.right > width + 1 && !scrolls(e.parentElement);
    }).slice(0, 3).map((e) => e.tagName + '.' + e.className + ' ' + (e.textContent || '').slice(0, 40));
    const active = [...document.querySelectorAll('*')].filter((e) =>
      ['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'BASE'].includes(e.tagName) ||
      [...e.attributes].some((a) => a.name.startsWith('on') || /^\s*javascript:/i.test(a.value) && (a.name === 'href' || a.name === 'action' || a.name === 'src'))).map((e) => e.outerHTML.slice(0, 120));
    return { scroll: document.documentElement.scrollWidth - width, wide, active };
  });
  assert.ok(found.scroll <= 0 && found.wide.length === 0, `${where} scrolls sideways by ${found.scroll}: ${found.wide.join(' | ')}`);
  assert.deepEqual(found.active, [], `${where} holds active content`);
}

// accessible fails with what axe-core finds wrong.
async function accessible(page, where) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }).then((r) =>
    r.violations.map((v) => `${v.id} (${v.impact}): ${v.help}\n    ` + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + '\n    ' + n.failureSummary.replace(/\s+/g, ' ')).join('\n    '))));
  assert.deepEqual(found, [], `${where}: axe-core finds\n  ${found.join('\n  ')}`);
}

// Tabs until what wants to be reached has the focus; a person would give up where a program would not.
const patience = 60;

// tabTo presses Tab until an element has the focus, and fails if that cannot be reached or seen.
async function tabTo(page, what, tabs = patience) {
  for (let i = 0; i < tabs; i++) {
    await page.keyboard.press('Tab');
    if (await what.evaluate((e) => e === document.activeElement)) {
      const ring = await what.evaluate((e) => { const s = getComputedStyle(e); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2; });
      assert.ok(ring, `the focus on ${await what.evaluate((e) => e.outerHTML.slice(0, 100))} is not seen`);
      return;
    }
  }
  assert.fail(`no way by keyboard to ${await what.evaluate((e) => e.outerHTML.slice(0, 100))}`);
}

// picture keeps a screenshot where the specification wants them: of the whole page, as on a screen that is as high, or of the screen.
async function picture(page, spec, name, whole = true) {
  if (!spec.pictures || spec.only && !spec.only.includes(name)) return;
  const size = page.viewportSize();
  if (whole) await page.setViewportSize({ width: size.width, height: await page.evaluate(() => document.documentElement.scrollHeight) });
  await page.screenshot({ path: path.join(spec.pictures, name + '.png'), animations: 'disabled' });
  if (whole) await page.setViewportSize(size);
}

// settle checks a page that stands in a size and a colour scheme, and keeps a picture of it, as picture does.
async function settle(page, spec, { size, scheme }, what, all = true) {
  await whole(page, `${what} (${size}, ${scheme})`);
  await accessible(page, `${what} (${size}, ${scheme})`);
  await picture(page, spec, `${what.replace(/ /g, '-')}-${size}-${scheme}`, all);
}

// pressEnter presses Enter where it leads to another page.
async function pressEnter(page) {
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

module.exports = { open, signIn, whole, accessible, tabTo, picture, settle, pressEnter, sizes, assert };
