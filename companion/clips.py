"""Recorded clips: a video file, or a folder of pictures or with one video in it."""

from __future__ import annotations

from pathlib import Path

from hardware.camera import Camera, CameraError
from hardware.cameras import ClipCamera, FolderCamera
from vision.picture import decode

VIDEOS = (".mp4", ".avi", ".mkv", ".mov", ".webm", ".mjpg", ".mjpeg", ".m4v")


def open_clip(clip: str) -> Camera:
    """A video file, the one video of a folder, or else the folder's pictures. Raises CameraError."""
    try:
        path = Path(clip)
        videos = [file for file in path.iterdir() if file.suffix.lower() in VIDEOS] if path.is_dir() else None
    except (OSError, ValueError):  # a name that no file can have; the camera says so
        videos = None
    if videos is None:
        return ClipCamera(clip)
    if len(videos) > 1:
        raise CameraError(f"folder {clip}: holds {len(videos)} videos; name the one to replay")
    return ClipCamera(videos[0]) if videos else FolderCamera(clip, decode=decode)
