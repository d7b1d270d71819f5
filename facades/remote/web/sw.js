// Keeps the page's own files, so that it opens without a network; the
// conversation and the token never come here. `webFiles` puts the version in.
const CACHE = "mm-__VERSION__";
const SHELL = [
  "/",
  "/app.js",
  "/app.css",
  "/icon.svg",
  "/icon-192.png",
  "/manifest.webmanifest",
];
const PATIENCE = 3000; // ms: a network that does not answer counts as none

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() =>
      self.skipWaiting()
    ),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) =>
      Promise.all(
        names.filter((name) => name !== CACHE).map((name) =>
          caches.delete(name)
        ),
      )
    ).then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname, search } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin || search) return;
  if (SHELL.includes(pathname)) event.respondWith(answer(event.request));
});

// The network first: the page must fit its server.
async function answer(request) {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(request, { signal });
    if (response.ok) return response;
  } catch {
    // The network is gone or slow: what is kept will do.
  }
  return await caches.match(request, { cacheName: CACHE }) ?? Response.error();
}
