//! Thread pools, which programs may use for tasks of their own. Steps of this engine do not need one.

#![allow(unsafe_code)]

use super::fault::{Served, fault};
use super::handle::DataPtr;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

const QUEUED: c_int = 1;
const COMPLETED: c_int = 2;

/// A task of a program.
#[repr(C)]
pub struct Task {
    func: Option<extern "C-unwind" fn(*mut c_void) -> *mut c_void>,
    args: *mut c_void,
    status: AtomicI32,
}

/// A task on its way to a thread.
struct Job(*mut Task);

// SAFETY: the program says that a task may run on another thread until it is completed
unsafe impl Send for Job {}

/// A thread pool: what the header shows, and the threads.
#[repr(C)]
pub struct Pool {
    nworker: c_int,
    jobs: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

thread_local! {
    static WORKER: Cell<usize> = const { Cell::new(0) };
}

fn work(id: usize, jobs: &Mutex<Receiver<Job>>) {
    WORKER.set(id);
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // SAFETY: a task that was enqueued lives until it is completed
        let task = unsafe { &*job.0 };
        if let Some(func) = task.func {
            func(task.args);
        }
        task.status.store(COMPLETED, Ordering::Release);
    }
}

fn pool<'a>(pool: *mut Pool) -> Served<&'a mut Pool> {
    // SAFETY: the pointer is null or a pool that was not destroyed
    match unsafe { pool.as_mut() } {
        Some(pool) => Ok(pool),
        None => fault("the thread pool is NULL"),
    }
}

fn task<'a>(task: *mut Task) -> Served<&'a Task> {
    // SAFETY: the pointer is null or leads to a task
    match unsafe { task.as_ref() } {
        Some(task) => Ok(task),
        None => fault("the task is NULL"),
    }
}

crate::export! {
    fn mju_threadPoolCreate(number_of_threads: usize) -> *mut Pool {
        let (sender, receiver) = channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let count = number_of_threads.min(crate::layout::data::MAX_THREAD - 1);
        let mut threads = Vec::new();
        for id in 1..=count {
            let jobs = Arc::clone(&receiver);
            threads.push(std::thread::Builder::new().spawn(move || work(id, &jobs))?);
        }
        Ok(Box::into_raw(Box::new(Pool { nworker: count as c_int, jobs: Some(sender), threads })))
    }
    fn mju_bindThreadPool(d: DataPtr<'_>, thread_pool: *mut c_void) {
        let data = d.raw()?;
        if data.threadpool != 0 {
            return fault("Thread Pool already bound to mjData");
        }
        data.threadpool = thread_pool as usize;
        Ok(())
    }
    fn mju_threadPoolEnqueue(thread_pool: *mut Pool, next: *mut Task) {
        task(next)?.status.store(QUEUED, Ordering::Release);
        match &pool(thread_pool)?.jobs {
            Some(jobs) => Ok(jobs.send(Job(next)).map_err(|_| String::from("the thread pool has no threads"))?),
            None => fault("the thread pool was destroyed"),
        }
    }
    fn mju_threadPoolDestroy(thread_pool: *mut Pool) {
        let inner = pool(thread_pool)?;
        drop(inner.jobs.take());
        for thread in inner.threads.drain(..) {
            let _ = thread.join();
        }
        // SAFETY: the pool came from `mju_threadPoolCreate`
        drop(unsafe { Box::from_raw(thread_pool) });
        Ok(())
    }
    fn mju_defaultTask(next: *mut Task) {
        task(next)?;
        // SAFETY: the pointer leads to memory for a task, which nobody runs yet
        unsafe { next.write(Task { func: None, args: std::ptr::null_mut(), status: AtomicI32::new(0) }) };
        Ok(())
    }
    fn mju_taskJoin(next: *mut Task) {
        let inner = task(next)?;
        while inner.status.load(Ordering::Acquire) != COMPLETED {
            std::thread::yield_now();
        }
        Ok(())
    }
    fn mju_threadPoolNumberOfThreads(thread_pool: *mut Pool) -> usize { Ok(pool(thread_pool)?.threads.len()) }
    fn mju_threadPoolCurrentWorkerId(thread_pool: *mut Pool) -> usize {
        let _ = pool(thread_pool)?;
        Ok(WORKER.get())
    }
}
