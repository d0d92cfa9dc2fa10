import { chromium } from 'playwright-core';
import fs from 'node:fs';
const demo = JSON.parse(fs.readFileSync('/work/main/.local/demo.json','utf8'));
const browser = await chromium.launch({ executablePath: '/root/.cache/swim-lesson-scheduling/chromium/chromium', args: ['--no-sandbox'] });
const ctx = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: 'http://127.0.0.1:18900', ...(fs.existsSync('/tmp/tour/state.json') ? { storageState: '/tmp/tour/state.json' } : {}) });
const page = await ctx.newPage();
page.on('console', m => m.type()==='error' && console.log('CONSOLE', m.text()));
page.on('response', r => r.status()>=400 && console.log('HTTP', r.status(), r.request().method(), r.url()));
page.setDefaultTimeout(12000);
globalThis.page = page; globalThis.demo = demo;
globalThis.shot = async (n) => { await page.screenshot({ path: `/tmp/tour/${n}.png`, fullPage: true }); };
globalThis.open = async (p) => { await page.goto('/dashboard/'+p); await page.getByRole('heading',{level:1}).waitFor(); await page.locator('.loading').first().waitFor({state:'detached'}); };
globalThis.text = async () => console.log((await page.locator('main').innerText()).slice(0,1500));
globalThis.buttons = async () => console.log(JSON.stringify(await page.getByRole('button').allInnerTexts()));
try { await (await import(process.argv[2])).default(); } catch (e) { console.log('ERR', e.message.slice(0,800)); await shot('error'); }
await ctx.storageState({ path: '/tmp/tour/state.json' });
await browser.close();
