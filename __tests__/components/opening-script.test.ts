import { pageToken } from "@/lib/client/browser-storage";
import { dropTokenScript, storeTokenScript, verifyTokenScript } from "@/lib/client/opening-script";

/** Runs a script as the browser runs an inline script, in the page's own scope. */
const run = (script: string) => new Function(script)();
const stored = () => ({ ...localStorage });
const unverified = () => ({ ...sessionStorage });
const fetchMock = jest.fn((_url: string, _call: { body: string }) => new Promise(() => {}));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  delete window.opened;
  fetchMock.mockClear();
  Object.assign(window, { fetch: fetchMock });
  window.history.replaceState(null, "", "/");
});

describe("the script of a verified link", () => {
  const good = { token: "T", source: "ba" };

  test("stores token, source and reference, and gives the page its token", () => {
    run(storeTokenScript(good, "K7QM-4XRT"));
    expect(stored()).toEqual({ auth_token: "T", auth_source: "ba", auth_reference: "K7QM-4XRT" });
    expect(window.opened).toEqual({ ...good, kept: true });
  });

  test("names the application that was open here before, unless the link is to the same one", () => {
    run(storeTokenScript(good, "K7QM-4XRT"));
    run(storeTokenScript({ token: "T2", source: "" }, "K7QM-4XRT"));
    expect(stored()).toEqual({ auth_token: "T2", auth_reference: "K7QM-4XRT" });
    run(storeTokenScript(good, "AAAA-CCCC"));
    expect(stored()).toMatchObject({ auth_reference: "AAAA-CCCC", auth_replaced: "K7QM-4XRT" });
  });

  test.each(["/nothing", "/un-authorized"])("stores nothing on %s, and gives the page its token", (path) => {
    run(storeTokenScript(good, "K7QM-4XRT"));
    const before = stored();
    window.history.replaceState(null, "", path);
    run(storeTokenScript({ token: "T2", source: "ia" }, "AAAA-CCCC"));
    expect(stored()).toEqual(before);
    expect(window.opened).toEqual({ token: "T2", source: "ia" });
    document.onclick = null;
  });

  test.each(["/landing", "/home", "/review&submit", "/review%26submit", "/submit-success", "/receipt"])(
    "stores the token on %s",
    (path) => {
      window.history.replaceState(null, "", path);
      run(storeTokenScript(good, "K7QM-4XRT"));
      expect(stored()).toMatchObject({ auth_token: "T" });
    },
  );

  test("is not ended early by a hostile token", () => {
    const script = storeTokenScript({ token: `</script><script>alert(1)//"'\u2028`, source: "ba" }, "K7QM-4XRT");
    expect(script).not.toContain("<");
    run(script);
    expect(stored()).toMatchObject({ auth_token: expect.stringContaining("</script>") });
  });

  test("leaves the token to the page where nothing can be stored, and holds taps on links", () => {
    jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("Full", "QuotaExceededError");
    });
    run(storeTokenScript(good, "K7QM-4XRT"));
    expect(pageToken()).toBe("T");
    document.body.innerHTML = `<a href="/home"><b>Start</b></a>`;
    expect(
      document.querySelector("b")?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })),
    ).toBe(false);
    expect(window.opened?.tapped).toBe(document.querySelector("a"));
    document.onclick = null;
  });
});

describe("the script of a refused link", () => {
  test("removes that token and no other", () => {
    localStorage.setItem("auth_token", "T");
    run(dropTokenScript("other"));
    expect(stored()).toEqual({ auth_token: "T" });
    run(dropTokenScript("T"));
    expect(stored()).toEqual({});
  });

  test("also removes that token if the server could not verify it before", () => {
    run(verifyTokenScript({ token: "T", source: null }));
    run(dropTokenScript("other"));
    expect(unverified()).toMatchObject({ auth_token: "T" });
    run(dropTokenScript("T"));
    expect(unverified()).not.toHaveProperty("auth_token");
  });
});

test("the script of a refused link on the 401 page names the token that can request a fresh link", () => {
  window.history.replaceState(null, "", "/un-authorized");
  run(dropTokenScript("T"));
  expect([window.refused, window.opened]).toEqual(["T", undefined]);
  window.refused = undefined;
});

describe("the script of any other page", () => {
  const sent = () => fetchMock.mock.calls.map(([, { body }]) => JSON.parse(body));

  test("verifies the stored token", () => {
    localStorage.setItem("auth_token", "T");
    run(verifyTokenScript(null));
    expect(sent()).toEqual([{ token: "T", source: "" }]);
  });

  test("verifies a link's token again after a reload in the same tab, until another link is verified", () => {
    localStorage.setItem("auth_token", "T");
    run(verifyTokenScript({ token: "T2", source: null }));
    run(verifyTokenScript(null));
    expect(sent()).toEqual(Array(2).fill({ token: "T2", source: "" }));
    expect([pageToken(), window.opened?.kept]).toEqual(["T2", false]);
    run(storeTokenScript({ token: "T3", source: "ba" }, "K7QM-4XRT"));
    run(verifyTokenScript(null));
    expect(sent()[2]).toEqual({ token: "T3", source: "ba" });
  });

  test("verifies a link's token where nothing can be stored", () => {
    jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("Full", "QuotaExceededError");
    });
    run(verifyTokenScript({ token: "T2", source: "ia" }));
    expect(sent()).toEqual([{ token: "T2", source: "ia" }]);
  });

  test("stores the source of a link without a token", () => {
    localStorage.setItem("auth_token", "T");
    run(verifyTokenScript({ token: null, source: "ia" }));
    expect(sent()).toEqual([{ token: "T", source: "ia" }]);
    expect(stored()).toEqual({ auth_token: "T", auth_source: "ia" });
  });

  test.each(["/nothing", "/un-authorized"])("stores nothing of a link on %s", (path) => {
    window.history.replaceState(null, "", path);
    run(verifyTokenScript({ token: "T2", source: "ia" }));
    run(verifyTokenScript({ token: null, source: "ia" }));
    expect([stored(), unverified()]).toEqual([{}, {}]);
  });

  test("sends nothing while the browser prerenders the page", () => {
    localStorage.setItem("auth_token", "T");
    Object.assign(document, { prerendering: true });
    run(verifyTokenScript(null));
    delete document.prerendering;
    expect(fetchMock).not.toHaveBeenCalled();
  });

  test("sends nothing on the 401 page or without a token", () => {
    run(verifyTokenScript(null));
    localStorage.setItem("auth_token", "T");
    window.history.replaceState(null, "", "/un-authorized");
    run(verifyTokenScript(null));
    expect(fetchMock).not.toHaveBeenCalled();
  });
});
