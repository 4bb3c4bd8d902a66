// Keeps the page for when there is no network. What is published changes the list, and with it this file.
const VERSION = "@version@";
const FILES = ["@files@"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(old).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  const kept = caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  // a folder that is served changes while the page is open: the network comes first
  const changes = /\/folder(\.json|\/)/.test(url.pathname);
  const fetched = () => fetch(event.request);
  event.respondWith(changes ? fetched().catch(() => kept) : kept.then((response) => response ?? fetched()));
});
