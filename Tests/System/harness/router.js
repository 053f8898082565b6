// An application that chooses its page by the path of the request target, which it reads as a URL: `router.js PORT PAGE`.
// It shows PAGE below /private/. Both ways are those of the documentation of Node.

const { createServer } = require("node:http");
const [port, page] = process.argv.slice(2);

function paths(request) {
  const addresses = [() => new URL(request.url, "http://base"), () => new URL(`http://${request.headers.host}${request.url}`)];
  return addresses.flatMap((address) => {
    try {
      const path = address().pathname;
      return [path, decodeURIComponent(path)];
    } catch {
      return [];
    }
  });
}

createServer((request, response) => {
  response.end(paths(request).some((path) => path.startsWith("/private/")) ? page : "open to everyone");
}).listen(Number(port), "127.0.0.1");
