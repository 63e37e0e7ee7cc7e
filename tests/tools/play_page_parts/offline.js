// Stores the files of the page, so that it opens without a network, too.

const VERSION = "@VERSION@";
const FILES = ["./", ...@FILES@];

addEventListener("install", (event) => {
  // Asks the server whether what the browser has is still the newest: one version's files only. A
  // newer version waits until no page is open that has begun with an older one.
  const requests = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(requests)));
});

addEventListener("activate", (event) => {
  const others = async () => (await caches.keys()).filter((name) => name.startsWith("impulse-") && name !== VERSION);
  event.waitUntil(others().then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const inCache = caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(inCache.then((found) => found ?? fetch(event.request)));
});
