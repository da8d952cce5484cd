"""Cameras on files of the test's own making. What needs a device is tested up to the device."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import cameras
from hardware.camera import Camera, CameraError
from hardware.cameras import ClipCamera, FolderCamera, OpenCVCamera, attached_camera, find_camera, shown, video_devices


def picture(level: int, size: tuple[int, int] = (64, 48)) -> np.ndarray:
    """Blue in B,G,R order, so that a swap would show."""
    image = np.zeros((size[1], size[0], 3), np.uint8)
    image[..., 0], image[..., 2] = 200, level
    return image


def drain(camera: Camera) -> None:
    for _ in range(1000):
        if camera.read() is None:
            return


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 8, (64, 48))
    for number in range(6):
        writer.write(picture(20 * number))
    writer.release()
    return path


def test_a_clip_runs_on_its_own_clock(clip: Path) -> None:
    camera = ClipCamera(clip)
    frames = []
    while (frame := camera.read()) is not None:
        frames.append(frame)
    assert [frame.t_ns for frame in frames] == [number * 125_000_000 for number in range(6)]
    assert frames[0].image.shape == (48, 64, 3)
    assert frames[5].image[10, 10] == pytest.approx((200, 0, 100), abs=6)
    assert camera.read() is None
    camera.close()


def test_a_clip_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="there is no such video file"):
        ClipCamera(tmp_path / "nowhere.mp4")
    with pytest.raises(CameraError, match="there is no such video file"):
        ClipCamera(tmp_path)
    text = tmp_path / "text.mp4"
    text.write_text("not a video")
    with pytest.raises(CameraError, match="no video that can be read"):
        ClipCamera(text)


def test_a_clip_cut_off_in_the_middle_is_damaged(clip: Path) -> None:
    data = clip.read_bytes()
    clip.write_bytes(data[: len(data) // 2])
    with pytest.raises(CameraError, match=r"is damaged after \d of 6 frames|holds no frame|no video"):
        drain(ClipCamera(clip))


def test_a_folder_of_pictures(tmp_path: Path) -> None:
    for name, level in (("b.jpg", 100), ("a.png", 50), ("c.JPG", 150)):
        cv2.imwrite(str(tmp_path / name.lower()), picture(level))
    (tmp_path / "notes.txt").write_text("no picture")
    camera = FolderCamera(tmp_path, fps=4)
    frames = [camera.read() for _ in range(3)]
    assert [frame.t_ns for frame in frames if frame] == [0, 250_000_000, 500_000_000]
    assert [int(frame.image[10, 10, 2]) for frame in frames if frame] == pytest.approx([50, 100, 150], abs=6)
    assert camera.read() is None


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="holds no picture"):
        FolderCamera(tmp_path)
    with pytest.raises(CameraError, match="No such file"):
        FolderCamera(tmp_path / "nowhere")
    (tmp_path / "a.jpg").write_bytes(b"")
    with pytest.raises(CameraError, match=r"a\.jpg: the picture cannot be decoded"):
        FolderCamera(tmp_path).read()


def test_a_webcam_that_is_not_there() -> None:
    with pytest.raises(CameraError, match="/dev/video97: is not there"):
        OpenCVCamera(97)


class Server:
    """A stream of pictures, or a page, at an address of this machine."""

    def __init__(self, kind: str, body: Callable[[], list[bytes]]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.end_headers()
                try:
                    for part in body():
                        self.wfile.write(part)
                except OSError:
                    pass

            def log_message(self, *args: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/video"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def test_a_stream_of_pictures() -> None:
    def body() -> list[bytes]:
        parts = []
        for level in range(0, 240, 4):
            jpeg = cv2.imencode(".jpg", picture(level))[1].tobytes()
            parts.append(b"--x\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg) + jpeg + b"\r\n")
        return parts

    server = Server("multipart/x-mixed-replace; boundary=x", body)
    clock = iter(range(0, 10**15, 100_000_000))
    camera = OpenCVCamera(server.address, clock_ns=lambda: next(clock))
    first, second = camera.read(), camera.read()
    assert first is not None
    assert second is not None
    assert second.t_ns > first.t_ns
    assert first.image[10, 10, 0] == pytest.approx(200, abs=6)
    with pytest.raises(CameraError, match="gives no more pictures"):
        drain(camera)
    camera.close()
    server.server.shutdown()


def test_a_stream_that_answers_with_html() -> None:
    server = Server("text/html", lambda: [b"<html><body>404</body></html>"])
    with pytest.raises(CameraError, match="something else than a video stream"):
        OpenCVCamera(server.address)
    server.server.shutdown()


def test_a_streams_password_is_not_shown() -> None:
    assert shown("rtsp://me:secret@10.0.0.7:554/live") == "rtsp://10.0.0.7:554/live"
    assert shown("/dev/v4l/by-id/usb-a@b") == "/dev/v4l/by-id/usb-a@b"
    with pytest.raises(CameraError, match=r"^camera http://127\.0\.0\.1:9/: answers"):
        OpenCVCamera("http://me:secret@127.0.0.1:9/")


def test_what_is_attached() -> None:
    assert attached_camera(lambda: True, lambda: ["/dev/video0"]) == "picamera2"
    assert attached_camera(lambda: False, lambda: ["/dev/video2", "/dev/video4"]) == "/dev/video2"
    assert attached_camera(lambda: False, list) is None


def test_files_in_dev_that_are_no_cameras(tmp_path: Path) -> None:
    (tmp_path / "video0").write_bytes(b"")
    (tmp_path / "video-x").write_bytes(b"")
    assert video_devices(tmp_path) == []


def test_how_to_open_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(cameras, "own_process", lambda name, function, *args: opened.append((function[5:], *args)))
    assert find_camera(attached=lambda: None) is None
    for kind, device, there in (
        ("auto", None, "picamera2"),
        ("auto", None, "/dev/video3"),
        ("auto", "/dev/video1", None),
        ("v4l2", None, None),
        ("picamera2", "1", None),
    ):
        opener = find_camera(kind, device, (640, 480), 10, attached=lambda there=there: there)
        assert opener is not None
        opener()
    assert opened == [
        ("picamera", 0, (640, 480), 10),
        ("opencv", "/dev/video3", (640, 480), 10),
        ("opencv", "/dev/video1", (640, 480), 10),
        ("opencv", "/dev/video0", (640, 480), 10),
        ("picamera", 1, (640, 480), 10),
    ]
    with pytest.raises(CameraError, match="picamera2 numbers its cameras"):
        find_camera("picamera2", "/dev/video0")
