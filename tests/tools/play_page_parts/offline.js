// Stores the files of the page, so that it opens without a network, too.

const VERSION = "@VERSION@";
const FILES = ["./", ...@FILES@];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const others = async () => (await caches.keys()).filter((name) => name.startsWith("impulse-") && name !== VERSION);
  event.waitUntil(others().then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const inCache = caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(inCache.then((found) => found ?? fetch(event.request)));
});
