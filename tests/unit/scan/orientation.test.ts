import { describe, expect, it } from "vitest";
import { judgeOrientations, TURN_REQUEST, type OrientationView } from "~/scan/conditions/orientation";

const content: OrientationView = { shown: 400, beside: 400, request: "", isClosable: false, isDrawing: false, turned: 0 };
const request: OrientationView = { ...content, shown: 22, beside: 0, request: "Please rotate your device" };

describe("a page on a phone that is turned", () => {
  it("fails where one orientation shows only a request to turn it", () => {
    expect(judgeOrientations({ portrait: request, landscape: content })).toEqual({ orientation: "portrait", kind: "request", isCertain: true });
    expect(judgeOrientations({ portrait: content, landscape: request })).toEqual({ orientation: "landscape", kind: "request", isCertain: true });
  });

  it("is a question where more is left, the request may be closed, or the content may need one orientation", () => {
    const asks = { orientation: "portrait", kind: "request", isCertain: false };
    expect(judgeOrientations({ portrait: { ...request, beside: 150 }, landscape: content })).toEqual(asks);
    expect(judgeOrientations({ portrait: { ...request, isClosable: true }, landscape: content })).toEqual(asks);
    expect(judgeOrientations({ portrait: request, landscape: { ...content, isDrawing: true } })).toEqual(asks);
    expect(judgeOrientations({ portrait: request, landscape: { ...content, shown: 5, beside: 5 } })).toEqual(asks);
  });

  it("is right where the request stands beside the content, or in both orientations", () => {
    expect(judgeOrientations({ portrait: { ...content, request: "Best in landscape" }, landscape: content })).toBeUndefined();
    expect(judgeOrientations({ portrait: request, landscape: request })).toBeUndefined();
    expect(judgeOrientations({ portrait: { ...content, shown: 100, beside: 100 }, landscape: content })).toBeUndefined();
  });

  it("fails where its text lies on its side in one orientation only", () => {
    const lying = { ...content, turned: 400 };
    expect(judgeOrientations({ portrait: content, landscape: lying })).toEqual({ orientation: "landscape", kind: "turned", isCertain: true });
    expect(judgeOrientations({ portrait: lying, landscape: lying })).toBeUndefined();
    expect(judgeOrientations({ portrait: { ...content, turned: 40 }, landscape: content })).toBeUndefined();
  });
});

describe("a request to turn the device", () => {
  const isRequest = (text: string) => new RegExp(TURN_REQUEST, "i").test(text);

  it.each(["Please rotate your device", "Turn your phone", "Best viewed in landscape", "Landscape mode only", "This site is only available in portrait", "Bitte drehen Sie Ihr Gerät", "Dreh bitte dein Handy", "Bitte das Smartphone quer halten", "Nur im Hochformat"])("%s", (text) => {
    expect(isRequest(text)).toBe(true);
  });

  it.each(["Landscapes of the Alps", "A portrait of the artist", "Rotate the handle twice", "Drehen Sie den Schlüssel", "Plakate im Großformat"])("not: %s", (text) => {
    expect(isRequest(text)).toBe(false);
  });
});
